import type { Shop } from './journey.ts'
import { storedSession } from './stored-session.ts'

interface OwnBook {
  readonly audioFiles: readonly { readonly sha256: string; readonly chapterOrderNumber: number }[]
}

/** Patterns that match the audio URLs of these chapters, streamed or downloaded, with any signature. */
export async function soundOf(shop: Shop, owner: string, slug: string): Promise<Map<number, RegExp>> {
  const { origins } = await storedSession(shop.url, owner)
  const token = origins[0]?.localStorage.find(({ name }) => name === 'token')?.value
  const answer = await fetch(`${shop.url}/api/audio_books/${slug}`, {
    headers: { xtoken: `Bearer ${token}` },
  })
  const { audioFiles } = (await answer.json()) as OwnBook
  return new Map(
    audioFiles.map(({ chapterOrderNumber, sha256 }) => [
      chapterOrderNumber,
      new RegExp(`/media/sound/${sha256}`),
    ]),
  )
}
