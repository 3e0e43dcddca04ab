import { randomUUID } from 'node:crypto'
import type { BareServer, Generator } from '../children.ts'
import { compare } from '../compare.ts'
import type { LoadRequest } from '../load/requests.ts'
import { rateRow, type Row } from '../report.ts'
import type { MeasuredShop } from '../shop.ts'

const CONNECTIONS = 64

/**
 * The progress that players of 2,000 listeners save every few seconds. The server acknowledges it when it is on disk.
 */
export async function measureProgress(
  { server, stock }: MeasuredShop,
  generator: Generator,
  bare: BareServer,
): Promise<Row> {
  const requests = stock.listeners.map(({ headers, slug }): LoadRequest => {
    const event = {
      audioBook: `/api/audio_books/${slug}`,
      chapter: 2,
      seconds: '{round}',
      eventId: '{event}',
      deviceId: randomUUID(),
      sequence: '{round}',
      agoSeconds: 0.05,
      basedOn: '{before}',
    }
    return {
      method: 'POST',
      path: '/api/user_audio_book_times',
      headers: { ...headers, accept: 'application/ld+json' },
      // The generator's replacement includes quotation marks.
      body: JSON.stringify(event).replaceAll(/"(\{\w+\})"/g, '$1'),
    }
  })
  await bare.imitate(server.port, requests[0]!)
  const found = await compare(
    generator,
    { connections: CONNECTIONS, requests },
    { port: server.port, referencePort: bare.port },
  )
  return rateRow('progress write, durable when acknowledged', found, 0.2)
}
