import { startChild, startGenerator, type Generator } from '../children.ts'
import { median, quartiles, refuseFailures } from '../compare.ts'
import type { Load, LoadRequest } from '../load/requests.ts'
import type { Row } from '../report.ts'
import type { MeasuredShop } from '../shop.ts'

const TURNS = 6
const VERIFICATIONS = 12
const FLOOD_CONNECTIONS = 24
/** One pair of a calm and a flooded load varies between 1.3 and 3 ×. */
const FLOOD_TURNS = 12

export async function measureLogIn({ server, stock }: MeasuredShop, generator: Generator): Promise<Row> {
  const verifier = startChild('verify.ts')
  const ours: number[] = []
  const alone: number[] = []
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      alone.push(median(await verifier.ask<number[]>(VERIFICATIONS)))
      const load = { port: server.port, connections: 1, seconds: 0.6, requests: logIns(stock) }
      const found = await generator.run(load)
      refuseFailures(found, load)
      ours.push(found.medianMs)
    }
  } finally {
    await verifier.stop()
  }
  const [logIn, verify] = [median(ours), median(alone)]
  return {
    what: 'log-in, against one argon2 verification',
    figures: `${logIn.toFixed(1)} ms of ${verify.toFixed(1)} ms`,
    value: logIn / verify,
    unit: '×',
    goal: { most: 1.25 },
  }
}

/** How much other visitors are slowed down while many people log in. */
export async function measureFlood({ server, stock }: MeasuredShop, generator: Generator): Promise<Row> {
  const { port } = server
  // A calm shop: eight people who each send twenty-five requests per second.
  const others: Load = {
    port,
    connections: 8,
    restMs: 40,
    seconds: 1.5,
    requests: stock.listeners.slice(0, 200).flatMap(({ headers, slug }): LoadRequest[] => [
      { path: '/api/audio_books?page=1' },
      { path: `/api/audio_books/${slug}`, headers },
      { path: '/api/audio_books?page=2', headers },
      {
        method: 'POST',
        path: '/api/user_audio_book_times',
        headers,
        body: `{"audioBook":"/api/audio_books/${slug}","chapter":1,"seconds":{round},"eventId":{event},"basedOn":{before}}`,
      },
    ]),
  }
  const flood = startGenerator()
  const calm: number[] = []
  const flooded: number[] = []
  try {
    await generator.run(others)
    for (let turn = 0; turn < FLOOD_TURNS; turn++) {
      calm.push(await p95(generator, others))
      // The flood begins before and ends after the measured load. Part of it gets “try again later”, as in reality.
      const over = flood.run({ port, connections: FLOOD_CONNECTIONS, seconds: 2, requests: logIns(stock) })
      flooded.push(await p95(generator, others))
      await over
    }
  } finally {
    await flood.stop()
  }
  const ratios = flooded.map((during, turn) => during / calm[turn]!)
  return {
    what: '95th percentile of others while log-ins flood in',
    figures: `${median(flooded).toFixed(1)} ms of ${median(calm).toFixed(1)} ms, half of the rounds ${quartiles(
      ratios,
    )
      .map((part) => part.toFixed(2))
      .join(' to ')}`,
    value: median(ratios),
    spread: quartiles(ratios),
    unit: '×',
    goal: { most: 1.4 },
  }
}

async function p95(generator: Generator, load: Load): Promise<number> {
  const found = await generator.run(load)
  refuseFailures(found, load)
  return found.p95Ms
}

/** Many accounts from many IP addresses, so that only the limit of the hashing itself applies. */
const logIns = ({ listeners }: MeasuredShop['stock']): LoadRequest[] =>
  listeners.map(({ account: { email, password } }, n) => ({
    method: 'POST',
    path: '/api/login',
    headers: { 'x-forwarded-for': `203.0.${n % 200}.${Math.floor(n / 200)}` },
    body: JSON.stringify({ email, password }),
  }))
