import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShopFile } from '#contract/shop-details.ts'
import { errorCode } from '../../log/error-code.ts'

const TEMPLATES = join(import.meta.dirname, '../../../content/templates/pages')
/** `[[number of days]]`: what the owner must fill in. The import rejects pages that contain one. */
const GAP = /\[\[([^\]]+)\]\]/g

export interface Draft {
  readonly path: string
  readonly gaps: number
  readonly kept: boolean
}

/** Legally required pages, for review by a lawyer. Existing pages are not changed. */
export async function draftPages(file: ShopFile, folder: string, templates = TEMPLATES): Promise<Draft[]> {
  const pages = join(folder, 'pages')
  await mkdir(pages, { recursive: true })
  const drafts: Draft[] = []
  for (const { name, draft } of await filledTemplates(file, templates)) {
    const path = join(pages, name)
    const kept = await writeFile(path, draft, { flag: 'wx' }).then(
      () => false,
      (error: unknown) => {
        if (errorCode(error) === 'EEXIST') return true
        throw error
      },
    )
    const text = kept ? await readFile(path, 'utf8') : draft
    drafts.push({ path, gaps: [...text.matchAll(GAP)].length, kept })
  }
  return drafts
}

export interface PageTemplate {
  readonly slug: string
  readonly title: string
  readonly body: string
}

const FRONT_MATTER = /^---\ntitle: (.+)\n---\n+/

/** The same drafts for the office, which stores them itself. */
export async function pageTemplates(file: ShopFile): Promise<PageTemplate[]> {
  return (await filledTemplates(file, TEMPLATES)).map(({ name, draft }) => ({
    slug: name.replace(/\.md$/, ''),
    title: FRONT_MATTER.exec(draft)?.[1] ?? '',
    body: draft.replace(FRONT_MATTER, ''),
  }))
}

async function filledTemplates(
  file: ShopFile,
  templates: string,
): Promise<{ readonly name: string; readonly draft: string }[]> {
  const names = (await readdir(templates)).filter((name) => name.endsWith('.md')).sort()
  const facts = factsOf(file)
  return Promise.all(
    names.map(async (name) => ({
      name,
      draft: filled(await readFile(join(templates, name), 'utf8'), facts),
    })),
  )
}

export const filled = (template: string, facts: Readonly<Record<string, string | undefined>>): string =>
  template.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => facts[name] ?? `[[${WORDS[name] ?? name}]]`)

const WORDS: Readonly<Record<string, string>> = {
  address: 'your address',
  addressLine: 'your address',
  mail: 'your email address',
  telephone: 'your telephone number',
  vatNumber: 'your VAT number, or delete this line',
}

function factsOf({ name, seller, help, mail }: ShopFile): Record<string, string | undefined> {
  return {
    name: plain(name),
    seller: plain(seller?.name ?? name),
    // Two spaces at the end of a line are a line break in Markdown.
    address: seller?.address?.map(plain).join('  \n'),
    addressLine: seller?.address?.map(plain).join(', '),
    mail: help?.mail ?? mail?.replyTo ?? mail?.sender,
    telephone: help?.telephone,
    vatNumber: seller?.vatNumber,
  }
}

const plain = (text: string): string => text.replaceAll(/([\\`*_[\]<>])/g, '\\$1')
