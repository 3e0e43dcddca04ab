import type { Book } from '#contract/catalogue.ts'
import { free } from '#storage/free.ts'
import type { WantedFile } from '#storage/sound-db.ts'
import { completeFile, storedChunks, storedFile } from '#storage/sound-store.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { NetProblem } from '#net/problem.ts'
import { filesOf } from './describe-title.ts'
import { fetchFile, FetchRefused } from './fetcher.ts'
import { storeChunk } from './make-room.ts'

export interface DownloadPorts {
  /** The book as its owner sees it: with signed addresses. Raises `NetProblem`. */
  askBook: (key: TitleKey) => Promise<Book>
  fetch: typeof fetch
  untilRetry: (signal: AbortSignal) => Promise<void>
  /** The listener's wish: may titles that were heard to the end make room for others? */
  removeFinished: () => Promise<boolean>
}

/** The session ended: what is begun goes on after the next log-in. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut'
}

/** Signed addresses of one title, asked for when first needed and again when one is refused. */
export interface Addresses {
  of: (chapter: number, fresh: boolean, signal: AbortSignal) => Promise<string>
  /** Files as the server described them last; undefined before it was asked. */
  files: () => WantedFile[] | undefined
}

export function addressesOf(key: TitleKey, ports: DownloadPorts): Addresses {
  let known: ReturnType<typeof filesOf> | undefined

  const ask = async (signal: AbortSignal) => {
    for (;;) {
      try {
        return filesOf(await ports.askBook(key))
      } catch (problem) {
        if (signal.aborted || !(problem instanceof NetProblem)) throw problem
        if (problem.status === 401) throw new SignedOut()
        if (problem.kind === 'refused' && problem.status !== 429) throw new FetchRefused('refused')
        await ports.untilRetry(signal)
      }
    }
  }

  return {
    async of(chapter, fresh, signal) {
      if (fresh || !known) known = await ask(signal)
      const found = known.find(({ file }) => file.chapter === chapter)
      if (!found) throw new FetchRefused('refused')
      return found.url
    },
    files: () => known?.map(({ file }) => file),
  }
}

/**
 * Has one file stored whole, whatever of it is here already.
 *
 * @param stillWanted asked before every chunk: another tab may have removed the title.
 * @throws {FetchRefused | SignedOut | NoSpaceLeft} where waiting does not help.
 */
export async function fetchOne(
  ownerUuid: string,
  key: TitleKey,
  file: WantedFile,
  addresses: Addresses,
  ports: DownloadPorts,
  stillWanted: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const removeFinished = await ports.removeFinished()
  for (let attempt = 0; attempt < 2; attempt++) {
    if (await storedFile(ownerUuid, key, file.chapter)) return
    const have = new Set(await storedChunks(ownerUuid, key, file.chapter))
    let type = ''
    await fetchFile(
      file,
      have,
      {
        fetch: ports.fetch,
        address: (fresh) => addresses.of(file.chapter, fresh, signal),
        untilRetry: ports.untilRetry,
      },
      async (chunk) => {
        if (!(await stillWanted())) throw new DOMException('No longer wanted', 'AbortError')
        type = chunk.type
        const at = { title: key, chapter: file.chapter, index: chunk.index, bytes: chunk.bytes }
        await storeChunk(ownerUuid, at, { removeFinished })
        free(chunk.bytes)
      },
      signal,
    )
    if (await completeFile(ownerUuid, key, file, type || usualType(key))) return
  }
  throw new FetchRefused('changed')
}

/** If all chunks were here already and no answer said it: the type that the shop serves. */
const usualType = (key: TitleKey) => (key.startsWith('audio/') ? 'audio/mpeg' : 'application/epub+zip')
