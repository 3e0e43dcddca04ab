import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { answer } from '../http/error-responses.ts'
import { notFound } from '../http/http-errors.ts'
import type { OwnersPicture } from '../settings/owners-details.ts'
import { groundsOf } from '../settings/owners-colours.ts'
import type { Shop } from '../shop.ts'

/** Files of the build that an owner's files replace; static file serving must leave them to these routes. */
export const OWNERS_FILES = ['icons/**', 'favicon.svg', 'manifest.webmanifest']

const ICONS: Readonly<Record<string, string>> = { svg: 'image/svg+xml', png: 'image/png' }
/** Prevents scripts in an owner's picture from running. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** `pictures` and `manifestFolder` differ only in development. */
export function servePictures(
  app: FastifyInstance,
  { config }: Pick<Shop, 'config'>,
  pictures: string,
  manifestFolder: string,
): void {
  const { details } = config
  const ours = (name: string, folder = pictures) => {
    const file = join(folder, name)
    return existsSync(file) ? readFileSync(file) : undefined
  }
  const send = (reply: FastifyReply, { type, bytes }: Pick<OwnersPicture, 'bytes'> & { type: string }) =>
    reply.header('content-security-policy', INERT).type(type).send(bytes)

  app.get<{ Params: { name: string } }>('/icons/:name', async ({ params: { name } }, reply) => {
    const owners = details.picture('icon-512.png') !== undefined
    const [, ending = ''] = /^[a-z0-9-]+\.(svg|png)$/.exec(name) ?? []
    const bytes = ending && !owners ? ours(`icons/${name}`) : undefined
    const picture = bytes ? { type: ICONS[ending]!, bytes } : details.picture(name)
    if (!picture || name === 'logo') return answer(reply, notFound())
    return send(reply.header('cache-control', 'no-cache').header('etag', `"${details.version}"`), picture)
  })
  app.get('/favicon.svg', async (_request, reply) => {
    const bytes = details.picture('icon-512.png') ? undefined : ours('favicon.svg')
    return bytes
      ? send(reply.header('cache-control', 'no-cache'), { type: ICONS.svg!, bytes })
      : reply.redirect('/icons/icon-192.png', 302)
  })
  app.get<{ Params: { file: string } }>('/media/covers/logo-:file', async ({ params: { file } }, reply) => {
    const { logo } = details
    const picture = details.picture('logo')
    if (!picture || !logo?.url.endsWith(`logo-${file}`)) return answer(reply, notFound())
    return send(reply.header('cache-control', 'public, max-age=31536000, immutable'), picture)
  })
  app.get('/manifest.webmanifest', async (_request, reply) => {
    const base = ours('manifest.webmanifest', manifestFolder)
    if (!base) return answer(reply, notFound())
    return reply
      .header('cache-control', 'no-cache')
      .header('etag', `"${details.version}"`)
      .type('application/manifest+json')
      .send(JSON.stringify(manifestOf(readManifest(base), details)))
  })
}

interface Manifest {
  readonly description: string
  readonly icons: readonly { readonly src: string; readonly type: string }[]
  readonly [field: string]: unknown
}

const readManifest = (bytes: Buffer): Manifest => JSON.parse(bytes.toString('utf8'))

function manifestOf(base: Manifest, details: Shop['config']['details']): Manifest {
  if (!details.areSaid) return base
  const { name, shortName, about, colours } = details.file
  const { light } = groundsOf(colours)
  return {
    ...base,
    name,
    short_name: shortName ?? name,
    description: about ?? name,
    background_color: light,
    theme_color: light,
    icons: base.icons
      .filter(({ type }) => type === 'image/png')
      .map((icon) => ({ ...icon, src: `${icon.src}?${details.version}` })),
    // The default screenshots show another shop.
    screenshots: undefined,
  }
}
