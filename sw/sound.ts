import { sliceFor, parseSoundPath } from '#storage/sound-path.ts'
import { readSlice, storedFile } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'
import { readValue } from '#storage/values.ts'
import type { RequestHandler } from './request-handler.ts'

export const handleSound: RequestHandler = ({ request }, { pathname }) =>
  parseSoundPath(pathname) ? answerSound(request) : undefined

/**
 * Answers a stored chapter like a server: 206 with the right slice, or the element cannot seek and silently
 * starts at 0 (trap 3). 404 if it is not stored, or its owner has logged out.
 */
export async function answerSound(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const wanted = parseSoundPath(pathname)
  if (!wanted || (await readValue('rememberedUser'))?.uuid !== wanted.ownerUuid) return missing()
  const { ownerUuid, slug, chapter } = wanted
  const file = await storedFile(ownerUuid, titleKey('audio', slug), chapter)
  const sound = searchParams.get('sound')
  // Another chapter may have taken this one's number while it played.
  if (!file || (sound && file.sha256 && file.sha256 !== sound)) return missing()

  const headers = new Headers({
    'accept-ranges': 'bytes',
    'content-type': file.type,
    'cache-control': 'no-store',
    ...(file.sha256 ? { etag: `"${file.sha256}"` } : {}),
  })
  const slice = sliceFor(request.headers.get('range'), file.bytes)
  if (slice === 'unsatisfiable') {
    headers.set('content-range', `bytes */${file.bytes}`)
    return new Response(null, { status: 416, headers })
  }

  headers.set('content-length', String(slice.last - slice.first + 1))
  if (slice.partial) headers.set('content-range', `bytes ${slice.first}-${slice.last}/${file.bytes}`)
  const status = slice.partial ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })

  const parts = await readSlice(ownerUuid, file, slice.first, slice.last)
  return parts ? new Response(new Blob(parts), { status, headers }) : missing()
}

const missing = () => new Response(null, { status: 404 })
