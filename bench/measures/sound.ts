import { join } from 'node:path'
import { mediaPath } from '#server/integrations/media/paths.ts'
import { answerTo, type Generator } from '../children.ts'
import { compare } from '../compare.ts'
import { startNginx } from '../nginx.ts'
import { rateRow, type Row } from '../report.ts'
import type { MeasuredShop } from '../shop.ts'

const CONNECTIONS = 16
const RANGE_BYTES = 256 * 1024

/** Ranges across a chapter that is larger than the cache of popular parts, and a single popular range. */
export async function measureSound(
  { server, stock, dataDir }: MeasuredShop,
  generator: Generator,
): Promise<Row[]> {
  const book = await answerTo(server.port, {
    path: `/api/audio_books/${stock.soundingSlug}`,
    headers: stock.listeners[0]!.headers,
  })
  const { audioFiles }: { audioFiles: { url: string; sha256: string; bytes: number }[] } = JSON.parse(
    book.body.toString(),
  )
  const [sound] = audioFiles
  const { url, sha256, bytes } = sound!
  const ranges = Array.from({ length: Math.floor(bytes / RANGE_BYTES) }, (_, n) => {
    // Avoid requesting adjacent ranges in sequence.
    const first = ((n * 71) % Math.floor(bytes / RANGE_BYTES)) * RANGE_BYTES
    return { range: `bytes=${first}-${first + RANGE_BYTES - 1}` }
  })

  const nginx = await startNginx(join(dataDir, 'media', mediaPath({ sha256, extension: 'mp3' })))
  try {
    const rate = async (what: string, asked: readonly { range: string }[]) => {
      const requests = (path: string) => asked.map((headers) => ({ path, headers }))
      const found = await compare(
        generator,
        { connections: CONNECTIONS, requests: requests(url) },
        { port: server.port, referencePort: nginx.port, referenceLoad: { requests: requests('/sound') } },
      )
      return rateRow(what, found, 0.9)
    }
    return [
      await rate('256 KiB of sound, anywhere, against nginx', ranges),
      await rate('256 KiB of sound, always the same, against nginx', ranges.slice(0, 1)),
    ]
  } finally {
    await nginx.stop()
  }
}
