import { isbnIn } from './catalogue/isbn.ts'
import type { FoundEbook, FoundTitle } from './found.ts'
import { ImportRefused } from './refused.ts'

interface Isbns {
  readonly audiobook: string | null
  readonly ebook: string | null
  readonly warning?: string
}

/**
 * The ISBN of each format: from `book.json`, from the EPUB, or from the other files of the folder if the title has only
 * one format. With two formats, those files do not say which one they mean.
 *
 * @throws `ImportRefused` for a mistyped ISBN in `book.json`
 */
export function isbnsOf(
  { book, beside }: Pick<FoundTitle, 'book' | 'beside'>,
  epub: Pick<FoundEbook, 'isbn'> | undefined,
  { isAudio, isEbook }: { isAudio: boolean; isEbook: boolean },
): Isbns {
  const own = { audiobook: ownOf('audiobook', book?.audiobook), ebook: ownOf('ebook', book?.ebook) }
  const told = beside?.isbn
  const isOfEbook = told !== undefined && told === epub?.isbn
  const isOpen = isAudio && isEbook && !isOfEbook && !own.audiobook && !own.ebook
  return {
    audiobook: own.audiobook ?? (isEbook ? null : (told ?? null)),
    ebook: own.ebook ?? (isAudio ? undefined : told) ?? epub?.isbn ?? null,
    ...(told && isOpen
      ? {
          warning: `The ISBN ${told} may be the audiobook’s or the e-book’s, so it is left out: give audiobook.isbn or ebook.isbn in book.json.`,
        }
      : {}),
  }
}

function ownOf(name: string, given: { isbn?: string } | undefined): string | undefined {
  const isbn = isbnIn(given?.isbn)
  if (given?.isbn !== undefined && isbn === undefined)
    throw new ImportRefused(
      `${name}.isbn ${given.isbn} in book.json is mistyped: its last digit does not fit.`,
    )
  return isbn
}
