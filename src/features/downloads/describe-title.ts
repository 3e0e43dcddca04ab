import type { Book } from '#contract/catalogue.ts'
import type { StoredTitle, WantedFile } from '#storage/sound-db.ts'
import { titleKey, type TitleFormat } from '#storage/title-key.ts'

export const formatOf = (book: Book): TitleFormat => (book.entityType === 'audioBook' ? 'audio' : 'ebook')

/** The files of a title with their signed addresses, by chapter. An e-book is one file, as chapter 1. */
export function filesOf(book: Book): { file: WantedFile; url: string }[] {
  if (book.entityType === 'eBook') {
    const file = { chapter: 1, name: book.title, playtime: 0, bytes: 0, sha256: '' }
    return book.download ? [{ file, url: book.download }] : []
  }
  return book.audioFiles.map((audio) => ({
    file: {
      chapter: audio.chapterOrderNumber,
      name: audio.chapterTitle,
      playtime: audio.playtime,
      bytes: audio.bytes,
      sha256: audio.sha256,
    },
    url: audio.url,
  }))
}

/** The data of a title that the device keeps, so that shelf and player need no server. */
export const describeTitle = (
  book: Book,
  cover: { bytes: ArrayBuffer; type: string } | undefined,
  addedAtMs: number,
): StoredTitle => ({
  key: titleKey(formatOf(book), book.slug),
  title: book.title,
  authors: book.authors.map(({ fullName }) => fullName),
  narrators: book.narrators.map(({ fullName }) => fullName),
  cover: cover?.bytes ?? null,
  coverType: cover?.type ?? '',
  colours: [book.bookBackgroundColour, book.containerBackgroundColour, book.textColour],
  files: filesOf(book).map(({ file }) => file),
  kept: 0,
  wanted: 0,
  failure: null,
  lost: 0,
  addedAtMs,
  finishedAtMs: null,
  page: book,
})
