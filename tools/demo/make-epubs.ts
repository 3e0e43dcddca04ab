/**
 * Makes the demo shop's e-books: one EPUB 3 next to each `book.json` that names a file.
 *
 *   npx --no-install node tools/demo/make-epubs.ts [slug …]
 *
 * The same texts give the same bytes, because every date in the archive is fixed. So git shows only real changes.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bindEpub } from './epub.ts'
import { readTitles } from './folders.ts'

const wanted = process.argv.slice(2)
for (const title of readTitles()) {
  const file = title.ebook?.file
  if (!file || (wanted.length > 0 && !wanted.includes(title.slug))) continue
  writeFileSync(join(title.folder, file), await bindEpub(title))
  console.log(file)
}
