import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escaped, type PageHead } from './page-head.ts'

interface ManifestChunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
  readonly isEntry?: boolean
}

export interface PageParts {
  readonly head: string
  readonly app: string
  readonly data: string
  /** The API calls behind `data`, as a JSON list. The service worker caches them so that the page opens offline. */
  readonly asked: string
  readonly routeIds: readonly string[]
  /** Parts that the browser loads on demand (src/ui/lazy-part.tsx); their styles are inlined too. */
  readonly parts: readonly string[]
}

export interface FilledPage {
  readonly html: string
  readonly inlineScripts: readonly string[]
  readonly inlineStyles: readonly string[]
}

interface InlinedStyles {
  readonly css: string
  /** So that no chunk fetches them again. */
  readonly links: string
}

const TITLE = /<title>[\s\S]*?<\/title>/
const STYLESHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g
/** The fonts of a first view (docs/design.md, Type); italics and extended subsets load when needed. */
const FIRST_FONTS = /(?:newsreader|source-sans-3)-latin-wght-normal\.woff2$/

/** The service worker uses its bare form. */
export class Template {
  readonly #html: string
  readonly #folder: string
  readonly #manifest: Record<string, ManifestChunk>
  readonly #routeFiles: Record<string, string>
  readonly #styles = new Map<string, string>()
  readonly #scripts: readonly string[]
  readonly #linked: readonly string[]
  /** These go into the body; in the head they would make Chromium delay the first paint. */
  readonly #fonts: string

  readonly #shellStyles: InlinedStyles

  constructor(folder: string) {
    this.#folder = folder
    this.#html = readFileSync(join(folder, 'index.html'), 'utf8')
    this.#manifest = readJson(join(folder, '.vite/manifest.json'))
    this.#routeFiles = readJson(join(folder, '../ssr/route-files.json'))
    this.#scripts = [...this.#html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1] ?? '')
    this.#linked = [...this.#html.matchAll(STYLESHEET)].map((match) => match[1] ?? '')
    this.#fonts = Object.keys(this.#manifest)
      .filter((key) => FIRST_FONTS.test(key))
      .map(
        (key) =>
          `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${this.#manifest[key]?.file}">`,
      )
      .join('')
    const ofHome = this.#withImports(this.#keysOfParts(['OwnHome'])).flatMap((chunk) => chunk.css ?? [])
    this.#shellStyles = this.#inlined(new Set([...this.#linked, ...ofHome]))
  }

  /** @param opening what the page shows until its code has run */
  bare(shop: PageHead, title: string, opening: string): FilledPage {
    return {
      html: bareHtml(this.#html, { title, head: shop.html, fonts: this.#fonts, opening }),
      inlineScripts: this.#scripts,
      inlineStyles: stylesIn(shop),
    }
  }

  /**
   * A bare page that can also show the title in progress (index.html). Its styles are inlined: the parser would wait for
   * a stylesheet before it runs the script that shows the title.
   */
  shell(shop: PageHead, title: string, opening: string): FilledPage {
    const { css, links } = this.#shellStyles
    const head = `<style>${css}</style>${shop.html}`
    const html = this.#html.replaceAll(STYLESHEET, '').replace('<!--data-->', () => links)
    return {
      html: bareHtml(html, { title, head, fonts: this.#fonts, opening }),
      inlineScripts: this.#scripts,
      inlineStyles: [css, ...stylesIn(shop)],
    }
  }

  fill({ head, app, data, asked, routeIds, parts }: PageParts, shop: PageHead): FilledPage {
    const chunks = this.#chunksOf(routeIds)
    // The first view's styles are inlined, so nothing has to be fetched before the first paint.
    const drawn = new Set([...chunks, ...this.#withImports(this.#keysOfParts(parts))])
    const files = [...this.#linked, ...[...drawn].flatMap((chunk) => chunk.css ?? [])]
    const { css, links } = this.#inlined(new Set(files))
    // At the end of the body and with low priority: over HTTP/1.1 all requests share the bandwidth, and visible content,
    // above all the largest picture, comes before the code that hydrates the page.
    const preloads = [...new Set(chunks.map((chunk) => chunk.file))]
      .filter((file) => !this.#html.includes(`"/${file}"`))
      .map((file) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`)
      .join('')
    const html = this.#html
      .replace(TITLE, '')
      .replaceAll(STYLESHEET, '')
      // The owner's colours come after the default ones.
      .replace('<!--shop-->', '')
      .replace('<!--head-->', () => `${head}<style>${css}</style>${shop.html}`)
      .replace('<!--fonts-->', () => this.#fonts)
      .replace('<!--app-->', () => app)
      .replace(
        '<!--data-->',
        () =>
          links +
          preloads +
          inertJson('server-data', data) +
          inertJson('server-asked', asked) +
          inertJson('server-parts', JSON.stringify(parts)),
      )
    return { html, inlineScripts: this.#scripts, inlineStyles: [css, ...stylesIn(shop)] }
  }

  #inlined(files: ReadonlySet<string>): InlinedStyles {
    return {
      css: [...files].map((file) => this.#css(file)).join(''),
      // A chunk that loads later checks whether its styles are linked. These links prevent a second fetch.
      links: [...files].map((file) => `<link rel="stylesheet" href="/${file}" disabled>`).join(''),
    }
  }

  #chunksOf(routeIds: readonly string[]): ManifestChunk[] {
    const keys = Object.keys(this.#manifest)
    const files = routeIds.flatMap((id) => this.#routeFiles[id] ?? [])
    return this.#withImports([
      ...keys.filter((key) => this.#manifest[key]?.isEntry),
      ...files.flatMap((file) => keys.filter((key) => key.startsWith(`${file}?tsr-split=`))),
    ])
  }

  #keysOfParts(parts: readonly string[]): string[] {
    return Object.keys(this.#manifest).filter((key) => parts.some((name) => key.endsWith(`/${name}.tsx`)))
  }

  #withImports(keys: readonly string[]): ManifestChunk[] {
    const found = new Map<string, ManifestChunk>()
    const visit = (key: string) => {
      const chunk = this.#manifest[key]
      if (!chunk || found.has(key)) return
      for (const imported of chunk.imports ?? []) visit(imported)
      found.set(key, chunk)
    }
    keys.forEach(visit)
    return [...found.values()]
  }

  #css(file: string): string {
    const kept = this.#styles.get(file)
    if (kept !== undefined) return kept
    const css = readFileSync(join(this.#folder, file), 'utf8').trim()
    this.#styles.set(file, css)
    return css
  }
}

const bareHtml = (
  html: string,
  parts: { title: string; head: string; fonts: string; opening: string },
): string =>
  html
    .replace(TITLE, () => `<title>${escaped(parts.title)}</title>`)
    .replace('<!--shop-->', () => parts.head)
    .replace('<!--head-->', '')
    .replace('<!--fonts-->', () => parts.fonts)
    .replace('<!--app-->', () => parts.opening)

const stylesIn = ({ style }: PageHead): string[] => (style === undefined ? [] : [style])

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8'))

export const inertJson = (id: string, json: string) =>
  `<script type="application/json" id="${id}">${json}</script>`
