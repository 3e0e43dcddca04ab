import type { AudioBook } from '#contract/catalogue.ts'
import type { CoverPicture } from '#ui/cover-picture.ts'
import type { Playable } from './model.ts'

/** How the catalogue shows a book: its cover's files, and its people in words. */
export interface BookLooks {
  readonly cover: CoverPicture
  readonly author: string
  readonly narrator: string
}

/** An owned book with its sound; without `audioFiles` there is nothing to play yet (PLAY-16). */
export function playableBook(book: AudioBook, looks: BookLooks): Playable {
  const files = book.audioFiles.toSorted((a, b) => a.chapterOrderNumber - b.chapterOrderNumber)
  return {
    ...common(book, looks),
    kind: 'book',
    chapters: files.map((file) => ({
      number: file.chapterOrderNumber,
      title: file.chapterTitle,
      seconds: file.playtime,
      bytes: file.bytes,
    })),
    download: book.download,
  }
}

/** What everybody may hear of a book. How long it is, its element will tell. */
export function playableSample(book: AudioBook, looks: BookLooks): Playable {
  return {
    ...common(book, looks),
    kind: 'sample',
    chapters: book.sample ? [{ number: 1, title: 'Sample', seconds: 0, bytes: 0 }] : [],
    download: null,
  }
}

const common = (book: AudioBook, looks: BookLooks) => ({
  slug: book.slug,
  title: book.title,
  coverAlt: book.coverAlt || `Cover of ${book.title} by ${looks.author}`,
  colours: {
    background: book.bookBackgroundColour,
    container: book.containerBackgroundColour,
    text: book.textColour,
  },
  ...looks,
})
