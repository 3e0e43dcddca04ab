import type { ApiServer } from '../http/serve.ts'
import { escaped, pageHead } from './page-head.ts'
import { inertJson, type PageParts } from './template.ts'
import { inProcess, type Renderer } from './renderer.ts'

interface ServerEntry {
  render(request: unknown): Promise<PageParts & { status: number; redirect?: string }>
}

export async function developmentRenderer({ app, shop }: ApiServer): Promise<Renderer> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    server: { middlewareMode: true },
    appType: 'custom',
    // Otherwise Vite writes, imports and deletes a copy of its settings, and `node --watch` restarts for ever.
    configLoader: 'native',
  })
  app.addHook('onClose', () => vite.close())
  app.addHook('onRequest', (request, reply, done) => {
    if (
      /^\/(?:api|media|dev|icons|\.well-known|favicon\.svg|manifest\.webmanifest)(?:\/|$)/.test(request.url)
    )
      return done()
    vite.middlewares(request.raw, reply.raw, () => done())
  })

  const { readFile } = await import('node:fs/promises')
  const template = async (url: string) => vite.transformIndexHtml(url, await readFile('index.html', 'utf8'))
  const page = await template('/')
  const bare: Renderer['bare'] = async (title) => ({
    html: page
      .replace('<title></title>', () => `<title>${escaped(title)}</title>`)
      .replace('<!--shop-->', () => pageHead(shop.config.details).html),
    inlineScripts: [],
    inlineStyles: [],
  })
  return {
    development: true,
    officeInDevelopment: (html) => vite.transformIndexHtml('/office/index.html', html),
    bare,
    shell: bare,
    async render(url, visitor, given) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the exports of our own source file
      const entry = (await vite.ssrLoadModule('/src/entry-server.tsx')) as unknown as ServerEntry
      const result = await entry.render({
        url,
        origin: shop.config.publicUrl,
        details: shop.config.details.ofPages,
        fetch: inProcess(app, visitor, given),
      })
      if (result.redirect !== undefined)
        return { status: result.status, redirect: result.redirect, page: undefined }
      const html = (await template(url))
        .replace('<title></title>', '')
        .replace('<!--shop-->', () => pageHead(shop.config.details).html)
        .replace('<!--head-->', () => result.head)
        .replace('<!--app-->', () => result.app)
        .replace(
          '<!--data-->',
          () => inertJson('server-data', result.data) + inertJson('server-asked', result.asked),
        )
      return {
        status: result.status,
        redirect: undefined,
        page: { html, inlineScripts: [], inlineStyles: [] },
      }
    },
  }
}
