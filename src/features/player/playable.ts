import type { AudioBook, Book } from '#contract/catalogue.ts'
import type { EditorialItem } from '#contract/editorial.ts'
import type { StoredTitle } from '#storage/sound-db.ts'
import { slugOfKey } from '#storage/title-key.ts'
import { authorsOf, coverOf, narratorsOf, placeOf } from '#features/catalogue/model.ts'
import { authorOf, kindOf, pictureOf } from '#features/editorial/model.ts'
import { storedPicture } from '#features/downloads/stored-picture.ts'
import type { Playable } from './model.ts'

/** Without the right to listen, the book has no chapters (PLAY-16). */
export function playableBook(book: Book): Playable {
  return {
    ...describe(book),
    kind: 'book',
    ...(book.eBook && { eBook: book.eBook.slug }),
    chapters: book.audioFiles.map(({ chapterOrderNumber, chapterTitle, playtime, bytes, sha256 }) => ({
      number: chapterOrderNumber,
      title: chapterTitle,
      seconds: playtime,
      bytes,
      sound: sha256,
    })),
    download: book.hideDownload ? null : book.download,
  }
}

/** The sample is one chapter; without a sample there are none. */
export function playableSample(book: AudioBook): Playable {
  const chapters = book.sample
    ? [{ number: 1, title: 'Sample', seconds: book.sampleSeconds ?? 0, bytes: 0 }]
    : []
  return { ...describe(book), kind: 'sample', chapters, download: null }
}

/** A journal recording is one chapter; without the right to listen there are none. */
export function playableRecording(item: EditorialItem): Playable {
  const picture = pictureOf(item)
  return {
    slug: `${kindOf(item)}/${item.slug}`,
    kind: 'recording',
    title: item.title,
    author: authorOf(item),
    narrator: '',
    cover: picture ?? { avif: EMPTY, webp: EMPTY, width: 900, height: 600 },
    coverAlt: item.altText,
    colours: {
      background: item.backgroundColour,
      container: item.containerColour,
      text: item.textColour,
    },
    chapters: item.audioFile
      ? [{ number: 1, title: item.title, seconds: item.audioSeconds ?? 0, bytes: 0 }]
      : [],
    download: null,
  }
}

const EMPTY = { 330: '', 600: '', 900: '' }

/** A downloaded title, from stored data alone: it opens without a request. */
export function playableStored(stored: StoredTitle): Playable {
  const [background, container, text] = stored.colours
  return {
    slug: slugOfKey(stored.key),
    kind: 'book',
    title: stored.title,
    author: stored.authors.join(', '),
    narrator: stored.narrators.join(', '),
    place: stored.page ? placeOf(stored.page) : '',
    cover: storedPicture(stored),
    ...(stored.page?.eBook && { eBook: stored.page.eBook.slug }),
    coverAlt: `Cover of ${stored.title} by ${stored.authors.join(', ')}`,
    colours: { background, container, text },
    chapters: stored.files.map(({ chapter, name, playtime, bytes, sha256 }) => ({
      number: chapter,
      title: name,
      seconds: playtime,
      bytes,
      sound: sha256,
    })),
    download: null,
  }
}

const describe = (book: Book) => ({
  slug: book.slug,
  title: book.title,
  author: authorsOf(book),
  narrator: narratorsOf(book),
  place: placeOf(book),
  cover: coverOf(book),
  coverAlt: book.coverAlt,
  colours: {
    background: book.bookBackgroundColour,
    container: book.containerBackgroundColour,
    text: book.textColour,
  },
})
