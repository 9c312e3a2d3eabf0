// pdfium.mjs - what PDFium shows: pages as pictures, their text
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { attempt, digest, serve } from './serve.mjs';

const SCALE = 0.5; // 36 dots per inch

const library = await PDFiumLibrary.init();

async function lookAtPage(document, index) {
  const page = document.getPage(index);
  const text = digest(page.getText()); // render() closes the page
  const picture = await page.render({ scale: SCALE, render: 'bitmap' });
  return text + digest(picture.data);
}

await serve(async (bytes, password, most) => {
  const document = await library.loadDocument(bytes, password ?? undefined);
  try {
    const pages = document.getPageCount();
    const seen = [];
    for (let i = 0; i < Math.min(pages, most); i++)
      seen.push(await attempt(() => lookAtPage(document, i)));
    return { pages, seen };
  } finally {
    document.destroy();
  }
});
