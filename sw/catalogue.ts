import { personalCacheName } from '#device/personal-cache.ts'
import { readValue } from '#device/values.ts'
import { ownerOf } from '#net/token-owner.ts'
import type { Asked, Door } from './doors.ts'
import { isKeepable, keepAnswer, keptAnswer, labelled } from './kept-answers.ts'
import { withinMs } from './within.ts'

export const CATALOGUE = 'murmur-catalogue'
const CATALOGUE_CAP = 300
const PERSONAL_CAP = 150

/** A page that comes back within a minute sees what it saw; the server is asked behind it. */
const YOUNG_MS = 60_000
/** A train's network that takes longer is treated as none (trap 22). */
const PATIENCE_MS = 3_000

/** Never kept: sessions, tokens, probes, descriptions, and what no screen shows offline. */
const NEVER = /^\/api\/(health|login|logout|token|docs|contexts)\b/
/**
 * Of the personal answers only what a screen needs without a network. Never places: an old answer taken for the
 * server's would move the listener back; the device has its own.
 */
const PERSONAL = /^\/api\/(logged-user|libraries|audio_books|e_books)\b/

/** Catalogue and personal answers the listener has seen. */
export const catalogueDoor: Door = (event, { pathname, href }) => {
  const { request } = event
  if (request.method !== 'GET' || !pathname.startsWith('/api/') || NEVER.test(pathname)) return undefined
  if (!request.headers.has('xtoken')) return publicAnswer(event, href)
  return PERSONAL.test(pathname) ? personalAnswer(event, href) : undefined
}

async function publicAnswer(event: Asked, address: string): Promise<Response> {
  const kept = await keptAnswer(CATALOGUE, address)
  const asked = fetchAndKeepPublic(event.request, address)
  event.waitUntil(asked.catch(() => undefined))
  if (kept && kept.ageMs < YOUNG_MS) return labelled(kept, 'fresh')
  return serverOr(asked, async () => kept)
}

/** The browser's own cache sends the ETag along and turns a 304 into the answer it has. */
export async function fetchAndKeepPublic(request: Request | string, address: string): Promise<Response> {
  const response = await fetch(request)
  const isPrivate = /no-store|private/.test(response.headers.get('cache-control') ?? '')
  if (isKeepable(response) && !isPrivate) await keepAnswer(CATALOGUE, address, response, CATALOGUE_CAP)
  else if (response.status === 404 || response.status === 410) {
    await (await caches.open(CATALOGUE)).delete(address)
  }
  return response
}

/**
 * Whose answer it is says the token of the request, not the device: while somebody logs in, it still remembers who was
 * here before.
 */
async function personalAnswer(event: Asked, address: string): Promise<Response> {
  const owner = ownerOf(event.request.headers.get('xtoken')?.replace('Bearer ', ''))
  if (!owner || !(await isHere(owner))) return fetch(event.request)
  const asked = fetch(event.request).then(async (response) => {
    // Asked again: somebody may have logged out while the answer was under way.
    if (isKeepable(response) && (await isHere(owner))) {
      await keepAnswer(personalCacheName(owner), address, response, PERSONAL_CAP)
    }
    return response
  })
  event.waitUntil(asked.catch(() => undefined))
  return serverOr(asked, () => keptAnswer(personalCacheName(owner), address))
}

/** Nobody is on a device whose own store fails, which still reaches the server. */
const isHere = async (userUuid: string) =>
  (await readValue('rememberedUser').catch(() => undefined))?.uuid === userUuid

/** The server's answer if it comes in time and is one; else what is kept; else whatever comes. */
async function serverOr(
  asked: Promise<Response>,
  keptOne: () => ReturnType<typeof keptAnswer>,
): Promise<Response> {
  const response = await withinMs(PATIENCE_MS, asked).catch(() => undefined)
  if (response && isVerdict(response)) return response
  const kept = await keptOne()
  return kept ? labelled(kept, 'silence') : asked
}

/** Ours, and not the stammer of a proxy or a captive portal. A refusal is a verdict too. */
const isVerdict = (response: Response) =>
  response.status < 500 &&
  (response.status === 204 || /\bjson\b/.test(response.headers.get('content-type') ?? ''))
