import { themeOf } from '#features/catalogue/model.ts'
import { contrastOf } from '#ui/title-theme.ts'

/** Light and dark bands in turn, as long as a page has both. */
export function inTurn<Book extends Parameters<typeof themeOf>[0]>(books: readonly Book[]): Book[] {
  const rest = [...books]
  const ordered = rest.splice(0, 1)
  while (rest.length > 0) {
    const last = isDark(ordered.at(-1)!)
    const next = rest.findIndex((book) => isDark(book) !== last)
    ordered.push(...rest.splice(Math.max(0, next), 1))
  }
  return ordered
}

const isDark = (book: Parameters<typeof themeOf>[0]) =>
  contrastOf(themeOf(book)['--title-bg'], '#FFFFFF') > 4.5
