import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Person {
  readonly firstName: string
  readonly lastName: string
}

export interface Title {
  readonly folder: string
  readonly slug: string
  readonly title: string
  readonly authors: readonly Person[]
  readonly translator?: Person
  readonly publisher: { readonly slug: string; readonly name: string }
  readonly language: string
  readonly summary: string
  readonly firstPublished: string
  readonly colours: { readonly background: string; readonly text: string }
  readonly audiobook?: {
    readonly narrators: readonly Person[]
    readonly chapters?: readonly { readonly file: string; readonly title: string }[]
    readonly sample?: string
  }
  readonly ebook?: { readonly file?: string }
}

export const demoTitles = new URL('../../content/demo/titles/', import.meta.url).pathname

export const fullName = ({ firstName, lastName }: Person) => `${firstName} ${lastName}`.trim()

export const readTitles = (): Title[] =>
  readdirSync(demoTitles)
    .sort()
    .map((slug) => {
      const folder = join(demoTitles, slug)
      const book: Omit<Title, 'folder'> = JSON.parse(readFileSync(join(folder, 'book.json'), 'utf8'))
      return Object.assign(book, { folder })
    })

export interface Chapter {
  readonly title: string
  /** Paragraphs separated by blank lines. */
  readonly text: string
}

/** The texts in `chapters/`, in order; the first line of each is its heading. */
export function chapters({ folder }: Title): Chapter[] {
  const texts = join(folder, 'chapters')
  return readdirSync(texts)
    .sort()
    .map((file) => {
      const [heading = '', ...lines] = readFileSync(join(texts, file), 'utf8').split('\n')
      return { title: heading.replace(/^# /, ''), text: lines.join('\n').trim() + '\n' }
    })
}
