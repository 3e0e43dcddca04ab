import { READING_FACES } from './book-styles.ts'

/** By address: the faces that a section has drawn with. */
const used = new Map<string, ArrayBuffer>()

/**
 * Gives a section the shop's faces. A section is a document of its own, and a face by its address comes a moment after
 * the text: the chapter would be laid out twice, often with another number of pages. So a face that one section has
 * used is handed to the next ones as its bytes, which are there at once.
 */
export function addFaces(section: Window & Pick<typeof globalThis, 'FontFace'>): void {
  for (const [family, url, how] of READING_FACES) {
    const bytes = used.get(url)
    const face = new section.FontFace(family, bytes ?? `url(${new URL(url, location.href)})`, how)
    section.document.fonts.add(face)
    // Asked for only when a text of this section needs it.
    if (!bytes) void face.loaded.then(() => keep(url)).catch(() => undefined)
  }
}

/** Out of the browser's cache, where it has just come to. */
async function keep(url: string): Promise<void> {
  const answer = await fetch(url)
  if (answer.ok) used.set(url, await answer.arrayBuffer())
}
