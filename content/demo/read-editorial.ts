import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { here } from './read-demo.ts'

export type Folder = 'articles' | 'interviews' | 'discussions'

/** The front matter of an article, podcast or event, with what the folder says. */
export interface Item {
  folder: Folder
  slug: string
  body: string
  title: string
  summary: string
  shortDescription: string
  author: string
  category: string
  type: string
  publishedDaysAgo: number
  startsInDays?: number
  featured?: boolean
  special?: boolean
  memberOnly?: boolean
  minimumTier?: 'supporter' | 'reader'
  hideAuthor?: boolean
  videoLink?: string
  link?: string
  seats?: number
  parts?: { at: string; title: string }[]
  linkTitle?: string
  audio?: string
  image?: string
  altText?: string
  colours?: { background: string; container: string; text: string; accents: string[] }
  books?: string[]
  metaDescription: string
  metaKeywords: string
}

/** The keys above the text of a Markdown file, and the text. */
export function readMarkdown<T>(path: string): { keys: T; body: string } {
  const [, keys, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(join(here, path), 'utf8'))!
  return { keys: parse(keys!) as T, body: body! }
}

const namesIn = (folder: string): string[] =>
  readdirSync(join(here, folder)).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []))

const itemsOf = (folder: Folder): Item[] =>
  namesIn(`editorial/${folder}`).map((slug) => {
    const { keys, body } = readMarkdown<Omit<Item, 'folder' | 'slug' | 'body'>>(`editorial/${folder}/${slug}.md`)
    return { ...keys, folder, slug, body }
  })

export const articles = itemsOf('articles')
export const interviews = itemsOf('interviews')
export const discussions = itemsOf('discussions')
export const items = [...articles, ...interviews, ...discussions]

export const authors = namesIn('authors')
export const pages = namesIn('pages').map((slug) => ({
  slug,
  ...readMarkdown<{ title: string }>(`pages/${slug}.md`),
}))
export const faqs = namesIn('faq').map((file) => {
  const { keys, body } = readMarkdown<{ name: string }>(`faq/${file}.md`)
  const questions = body.split(/^## /m).slice(1)
  return { name: keys.name, questions }
})
