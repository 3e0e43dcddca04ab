import type { WorkerMessage } from '#storage/messages.ts'
import { fetchAndStorePublic } from './api-answers.ts'
import { warmCover } from './covers.ts'
import { cachedAnswer, CATALOGUE } from './kept-answers.ts'
import { refreshCatalogue } from './offline/stored-index.ts'
import { storePlaceOnClose } from './outbox.ts'

/** The parts of the worker and of a message that are used; tests provide their own. */
interface Worker {
  readonly skipWaiting: () => Promise<void>
  readonly registration: Pick<ServiceWorkerRegistration, 'sync'>
}
interface Heard {
  readonly data: WorkerMessage
  readonly waitUntil: (work: Promise<unknown>) => void
}

/** A few screens' worth: don't use up data plans for content that wasn't requested. */
const MOST_ADDRESSES = 60
const MOST_COVERS = 60
/** Recent answers are not fetched again for every page that opens. */
const KEPT_LATELY_MS = 10 * 60_000

export const followPage =
  (worker: Worker) =>
  (event: Heard): void => {
    const message = event.data
    if (message.type === 'SKIP_WAITING') event.waitUntil(worker.skipWaiting())
    else if (message.type === 'WARM') event.waitUntil(warm(message))
    else if (message.type === 'KEEP_CATALOGUE') event.waitUntil(refreshCatalogue())
    // A page of a later release may send messages that this worker doesn't know.
    else if (message.type === 'HEARD') event.waitUntil(storePlaceOnClose(message, worker.registration))
  }

type Warming = Extract<WorkerMessage, { type: 'WARM' }>

async function warm({ addresses, pages }: Warming) {
  const behindPages = await Promise.all(pages.map((page) => askedFor(page).catch(() => [])))
  const wanted = new Set([...addresses, ...behindPages.flat()])
  const covers = new Set<string>()
  for (const address of [...wanted].slice(0, MOST_ADDRESSES)) {
    const url = new URL(address, location.origin)
    if (url.origin !== location.origin || !url.pathname.startsWith('/api/')) continue
    const answer = await storedOrFetched(url.href).catch(() => undefined)
    if (answer?.ok)
      for (const cover of coversIn(await answer.json().catch(() => undefined))) covers.add(cover)
  }
  for (const cover of [...covers].slice(0, MOST_COVERS)) await warmCover(cover).catch(() => undefined)
}

async function storedOrFetched(address: string): Promise<Response> {
  const kept = await cachedAnswer(CATALOGUE, address)
  return kept && kept.ageMs < KEPT_LATELY_MS ? kept.response : fetchAndStorePublic(address, address)
}

/** The addresses that the server fetched to render a page: the page lists them. */
async function askedFor(page: string): Promise<string[]> {
  const html = await (await fetch(page, { headers: { accept: 'text/html' } })).text()
  const asked = /<script type="application\/json" id="server-asked">([^<]*)</.exec(html)?.[1]
  return JSON.parse(asked ?? '[]')
}

interface WithCover {
  cover330?: string
  'hydra:member'?: WithCover[]
}

function coversIn(body: WithCover | undefined): string[] {
  const own = body?.cover330 ? [new URL(body.cover330, location.origin).href] : []
  return [...own, ...(body?.['hydra:member'] ?? []).flatMap(coversIn)]
}
