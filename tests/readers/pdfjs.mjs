// pdfjs.mjs - what pdf.js reads: text, annotations, outline, document
// information, attached files
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { attempt, digest, serve } from './serve.mjs';

// The library says on import that it cannot draw; nothing is drawn here.
console.warn = () => {};
console.log = () => {};
const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
const home = dirname(
  createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

// What encryption or its version step changes by itself.
const OWN_TO_FORM = new Set(['PDFFormatVersion', 'EncryptFilterName',
  'IsLinearized']);

async function lookAtPage(document, number) {
  const page = await document.getPage(number);
  const content = await page.getTextContent();
  const text = content.items.map((item) => item.str ?? '').join('\n');
  const notes = (await page.getAnnotations()).map((a) =>
    [a.subtype, a.contentsObj?.str, a.titleObj?.str, a.fieldName,
      a.fieldValue, a.url, a.modificationDate]);
  page.cleanup();
  return digest(text) + digest(JSON.stringify(notes));
}

async function lookAtInfo(document) {
  const { info, metadata } = await document.getMetadata();
  const kept = Object.entries(info).filter(([key]) => !OWN_TO_FORM.has(key));
  return digest(JSON.stringify([kept, metadata?.getRaw() ?? null]));
}

function titles(items) {
  return (items ?? []).map((item) => [item.title, titles(item.items)]);
}

async function lookAtFiles(document) {
  const files = Object.entries((await document.getAttachments()) ?? {});
  return digest(JSON.stringify(files.map(([name, file]) =>
    [name, file.description, file.content && digest(file.content)])));
}

await serve(async (data, password, most) => {
  const task = pdfjs.getDocument({
    data,
    password: password ?? undefined,
    verbosity: 0,
    isEvalSupported: false,
    cMapUrl: join(home, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(home, 'standard_fonts/'),
  });
  try {
    const document = await task.promise;
    const pages = document.numPages;
    const seen = [];
    for (let i = 1; i <= Math.min(pages, most); i++)
      seen.push(await attempt(() => lookAtPage(document, i)));
    seen.push(await attempt(() => lookAtInfo(document)));
    seen.push(await attempt(async () =>
      digest(JSON.stringify(titles(await document.getOutline())))));
    seen.push(await attempt(() => lookAtFiles(document)));
    return { pages, seen };
  } finally {
    await task.destroy();
  }
});
