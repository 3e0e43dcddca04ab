import { isCacheable, putNewest } from './kept-answers.ts'
import type { RequestHandler } from './request-handler.ts'

const COVERS = 'murmur-covers'
const CAP = 400

/** A cover URL's content never changes, so a cached one is always right. */
export const handleCover: RequestHandler = ({ request }, { pathname, href }) =>
  request.method === 'GET' && pathname.startsWith('/media/covers/') ? cover(request, href) : undefined

async function cover(request: Request, address: string): Promise<Response> {
  const kept = await (await caches.open(COVERS)).match(address)
  if (kept) return kept
  try {
    const response = await fetch(request)
    // A full device still shows the cover (trap 12).
    await keepCover(address, response).catch(() => undefined)
    return response
  } catch (failure) {
    const other = await anotherForm(address)
    if (other) return other
    throw failure
  }
}

export async function warmCover(address: string): Promise<void> {
  if (await (await caches.open(COVERS)).match(address)) return
  await keepCover(address, await fetch(address))
}

async function keepCover(address: string, response: Response) {
  if (isCacheable(response, /^image\//)) await putNewest(COVERS, address, response.clone(), CAP)
}

const FORMS = [
  '-330.avif',
  '-330.webp',
  '-600.avif',
  '-600.webp',
  '-900.avif',
  '-900.webp',
  '-900.jpg',
  '-thumb.webp',
]

/** Offline, show the same cover in another size or encoding; its content type comes with it. */
async function anotherForm(address: string): Promise<Response | undefined> {
  const form = FORMS.find((ending) => address.endsWith(ending))
  if (!form) return undefined
  const cache = await caches.open(COVERS)
  const stem = address.slice(0, -form.length)
  for (const ending of FORMS) {
    const found = await cache.match(stem + ending)
    if (found) return found
  }
  return undefined
}
