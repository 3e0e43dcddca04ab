import { within } from '#storage/wait.ts'
import { type PageMessage, personalCacheName } from '#storage/messages.ts'
import { readValue } from '#storage/values.ts'
import { isFromShop } from '#net/from-shop.ts'
import { ownerOf } from '#net/settings.ts'
import type { FetchCall, RequestHandler } from './request-handler.ts'
import { isServerSilent } from './silence.ts'
import {
  type CachedAnswer,
  CATALOGUE,
  isCacheable,
  storeAnswer,
  cachedAnswer,
  labelled,
} from './kept-answers.ts'
import { offlineAnswer } from './offline/offline-answer.ts'

/** The worker global; declares only what is needed to message a page. */
declare const self: {
  readonly clients: {
    readonly get: (id: string) => Promise<{ postMessage: (message: PageMessage) => void } | undefined>
  }
}

const CATALOGUE_CAP = 300
const PERSONAL_CAP = 150

/** A page revisited within a minute shows its cached answer; it is refreshed in the background. */
const YOUNG_MS = 60_000
/** A slower network is treated as none (trap 22). */
const PATIENCE_MS = 3_000
/**
 * The library opens from the device, and is replaced when the answer arrives. Other answers may be needed for
 * a decision, or contain URLs that expire.
 */
const LIBRARY = /^\/api\/libraries\b/
const SHELF_PATIENCE_MS = 300
/** The page has waited already, and its screen may make several requests one after the other. */
const SILENT_PATIENCE_MS = 100
/** After the message, the page fetches the renewed answer at once. */
const RENEWED_FOR_MS = 10_000

/** Never cached: sessions, tokens, probes, descriptions, and data that no screen shows offline. */
const NEVER = /^\/api\/(health|login|logout|token|docs|contexts|office)\b/
/**
 * The only personal answers to cache: those that a screen needs offline. Never resume points: an old answer
 * taken for the server's would move the listener back, and the device stores its own.
 */
const PERSONAL = /^\/api\/(logged-user|libraries|audio_books|e_books|series)\b/

/** Catalogue and personal answers that were fetched before. */
export const handleCatalogue: RequestHandler = (event, { pathname, href }) => {
  const { request } = event
  if (request.method !== 'GET' || !pathname.startsWith('/api/') || NEVER.test(pathname)) return undefined
  if (!request.headers.has('xtoken')) return publicAnswer(event, href)
  return PERSONAL.test(pathname) ? personalAnswer(event, href) : undefined
}

async function publicAnswer(event: FetchCall, address: string): Promise<Response> {
  const kept = await cachedAnswer(CATALOGUE, address)
  const asked = fetchAndStorePublic(event.request, address)
  event.waitUntil(asked.catch(() => undefined))
  if (kept && kept.ageMs < YOUNG_MS) return labelled(kept, 'fresh')
  return serverOr(asked, () => offlineAnswer(new URL(address), kept))
}

/** The browser's own cache sends the ETag and turns a 304 into its stored answer. */
export async function fetchAndStorePublic(request: Request | string, address: string): Promise<Response> {
  const response = await fetch(request)
  const isPrivate = /no-store|private/.test(response.headers.get('cache-control') ?? '')
  if (isCacheable(response) && !isPrivate) await storeAnswer(CATALOGUE, address, response, CATALOGUE_CAP)
  else if (isFromShop(response) && (response.status === 404 || response.status === 410)) {
    await (await caches.open(CATALOGUE)).delete(address)
  }
  return response
}

/**
 * The request's token decides whose answer it is, not the device: during a log-in, the device still remembers
 * the previous user.
 */
async function personalAnswer(event: FetchCall, address: string): Promise<Response> {
  const owner = ownerOf(event.request.headers.get('xtoken')?.replace('Bearer ', ''))
  if (!owner || !(await isHere(owner))) return fetch(event.request)
  const name = personalCacheName(owner)
  if (takeRenewed(name + address)) {
    const kept = await cachedAnswer(name, address)
    if (kept) return labelled(kept, 'fresh')
  }
  const asked = fetch(event.request).then(async (response) => {
    // Check again: the user may have logged out during the request.
    if (isCacheable(response) && (await isHere(owner))) {
      await storeAnswer(name, address, response, PERSONAL_CAP)
    }
    return response
  })
  event.waitUntil(asked.catch(() => undefined))
  const shelf = LIBRARY.test(new URL(address).pathname) ? await cachedAnswer(name, address) : undefined
  const ended = asked.then(
    () => true,
    () => true,
  )
  if (!shelf || (await within(SHELF_PATIENCE_MS, ended))) {
    return serverOr(asked, () => cachedAnswer(name, address))
  }
  event.waitUntil(notifyRenewed(event, owner, name + address, shelf.response.clone(), asked))
  return labelled(shelf, 'late')
}

const renewed = new Map<string, number>()

function takeRenewed(key: string): boolean {
  const at = renewed.get(key)
  renewed.delete(key)
  return at !== undefined && Date.now() - at < RENEWED_FOR_MS
}

async function notifyRenewed(
  { clientId }: FetchCall,
  ownerUuid: string,
  key: string,
  before: Response,
  asked: Promise<Response>,
): Promise<void> {
  const answer = await asked.catch(() => undefined)
  if (!answer || !isCacheable(answer) || (await answer.text()) === (await before.text())) return
  renewed.set(key, Date.now())
  const message: PageMessage = { type: 'SHELF_RENEWED', ownerUuid }
  ;(await self.clients.get(clientId))?.postMessage(message)
}

/** If the device's store fails, treat it as no user; the call still goes to the server. */
const isHere = async (userUuid: string) =>
  (await readValue('rememberedUser').catch(() => undefined))?.uuid === userUuid

/** The server's answer if it arrives in time and is valid; else the cached one; else any answer. */
async function serverOr(
  asked: Promise<Response>,
  storedAnswer: () => Promise<CachedAnswer | undefined>,
): Promise<Response> {
  const patienceMs = isServerSilent() ? SILENT_PATIENCE_MS : PATIENCE_MS
  const response = await within(patienceMs, asked).catch(() => undefined)
  if (response && isVerdict(response)) return response
  const kept = await storedAnswer()
  return kept ? labelled(kept, 'silence') : asked
}

/**
 * Count only answers from our own server: proxies and captive portals send their own pages. A 4xx counts too.
 */
const isVerdict = (response: Response) =>
  isFromShop(response) &&
  response.status < 500 &&
  (response.status === 204 || /\bjson\b/.test(response.headers.get('content-type') ?? ''))
