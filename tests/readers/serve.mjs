// serve.mjs - answers questions about files, one JSON object a line
//
// stdin:  {"file": PATH, "password": TEXT or null, "pages": MOST}
// stdout: {"pages": COUNT, "seen": [TEXT per page and thing], "error": null}
//         or {"error": MESSAGE} when the file cannot be opened
//
// look(bytes, password, pages) does the work.  Two answers are compared as
// text, so `seen` holds digests of what a reader shows, in a fixed order.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

export function digest(data) {
  return createHash('sha256').update(data).digest('hex').slice(0, 32);
}

// The result of a step, or its error as text: both are what a reader does.
export async function attempt(step) {
  try {
    return await step();
  } catch (e) {
    return `error: ${e.message ?? e}`;
  }
}

export async function serve(look) {
  for await (const line of createInterface({ input: process.stdin })) {
    const question = JSON.parse(line);
    let answer;
    try {
      const bytes = new Uint8Array(await readFile(question.file));
      answer = await look(bytes, question.password, question.pages);
      answer.error = null;
    } catch (e) {
      answer = { error: `${e.message ?? e}` };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
