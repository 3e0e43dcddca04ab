import type { Book } from '#contract/catalogue.ts'
import { authorsOf, pathOf } from '#features/catalogue/model.ts'
import { toast } from '#ui/toast.ts'

/** The system's share sheet, or else copies the address. */
export async function shareBook(book: Book): Promise<void> {
  const url = new URL(pathOf(book), window.location.origin).href
  const words = { title: book.title, text: `${book.title} by ${authorsOf(book)}`, url }
  try {
    if (navigator.share && matchMedia('(pointer: coarse)').matches) await navigator.share(words)
    else {
      await navigator.clipboard.writeText(url)
      toast('Link copied.')
    }
  } catch (problem) {
    // Closing the sheet is not a failure.
    if (!(problem instanceof DOMException && problem.name === 'AbortError'))
      toast(`Copy this address: ${url}`)
  }
}
