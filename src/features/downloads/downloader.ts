import { isPassing, isQuotaExceeded } from '#storage/open.ts'
import type { DownloadFailure, StoredTitle } from '#storage/sound-db.ts'
import { renewTitle } from '#storage/renew-title.ts'
import { changeTitle, readTitle, wantedTitles } from '#storage/sound-store.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { oneAtATime } from '#net/one-at-a-time.ts'
import { addressesOf, fetchOne, SignedOut, type DownloadPorts, FetchRefused } from './fetcher.ts'
import { giveBack, NoSpaceLeft } from './make-room.ts'
import { nextWanted } from './model.ts'

interface Downloader {
  /** Checks for newly wanted titles. Resolves when nothing is left to fetch. */
  poke: () => Promise<void>
  drop: (key: TitleKey) => void
  stop: () => void
}

interface DownloaderEvents {
  done?: (key: TitleKey) => void
  /** Called even if a full device could not store the failure. */
  failed?: (key: TitleKey, reason: DownloadFailure) => void
}

/**
 * Fetches wanted titles, one at a time and in one tab at a time; the list is stored on the device, so closing
 * a tab only interrupts it (trap 11).
 */
export function createDownloader(
  ownerUuid: string,
  ports: DownloadPorts,
  events: DownloaderEvents = {},
): Downloader {
  let stopped = false
  let again = false
  let running: Promise<void> | undefined
  let current: { key: TitleKey; abort: AbortController } | undefined
  const stopping = new AbortController()

  /** WebKit drops its databases in the background (trap 13): continue when they answer again. */
  const goOnLater = () =>
    void ports.untilRetry(stopping.signal).then(() => (stopped ? undefined : downloader.poke()))

  const work = async () => {
    do {
      again = false
      const paused = new Set<TitleKey>()
      for (;;) {
        const next = nextWanted((await wantedTitles(ownerUuid)).filter(({ key }) => !paused.has(key)))
        if (stopped || !next) break
        current = { key: next.key, abort: new AbortController() }
        const ended = await fetchTitle(ownerUuid, next, ports, current.abort.signal)
        if (ended === 'done') events.done?.(next.key)
        else {
          // Also after a failure: a full device may not have been able to store it.
          paused.add(next.key)
          if (ended === 'interrupted') goOnLater()
          else if (ended !== 'paused') events.failed?.(next.key, ended)
        }
        current = undefined
      }
    } while (again && !stopped)
  }

  const downloader: Downloader = {
    poke() {
      again = true
      running ??= oneAtATime(`murmur-downloads-${ownerUuid}`, work)
        .finally(() => (running = undefined))
        .catch((failure: unknown) => {
          if (!isPassing(failure)) throw failure
          goOnLater()
        })
      return running
    },
    drop(key) {
      if (current?.key === key) current.abort.abort()
    },
    stop() {
      stopped = true
      stopping.abort()
      current?.abort.abort()
    },
  }
  return downloader
}

type Ended = 'done' | 'paused' | 'interrupted' | DownloadFailure

async function fetchTitle(
  ownerUuid: string,
  title: StoredTitle,
  ports: DownloadPorts,
  signal: AbortSignal,
): Promise<Ended> {
  const { key } = title
  const addresses = addressesOf(key, ports)
  const stillWanted = async () => !signal.aborted && (await readTitle(ownerUuid, key))?.wanted === 1
  let { files } = title
  try {
    for (let at = 0; at < files.length; at++) {
      const file = files[at]
      if (!file) break
      try {
        await fetchOne(ownerUuid, key, file, addresses, ports, stillWanted, signal)
      } catch (failure) {
        const renewed = failure instanceof FetchRefused ? await publishedAnew(addresses, files) : undefined
        if (!renewed) throw failure
        // The owner changed the chapters: go on with the server's current files. Any other change is a failure.
        await renewTitle(ownerUuid, key, { files: renewed })
        files = renewed
        at = -1
      }
    }
    await changeTitle(ownerUuid, key, { wanted: 0, failure: null, lost: 0 })
    return 'done'
  } catch (failure) {
    if (isPassing(failure)) return signal.aborted ? 'paused' : 'interrupted'
    const reason = reasonOf(failure)
    if (!reason) return 'paused'
    if (reason === 'space') await giveBack(ownerUuid, key).catch(() => undefined)
    await changeTitle(ownerUuid, key, { wanted: 0, failure: reason }).catch(() => undefined)
    return reason
  }
}

/** The server's files, if they differ from the stored description. */
async function publishedAnew(addresses: ReturnType<typeof addressesOf>, files: StoredTitle['files']) {
  const now = addresses.files()
  const print = (list: StoredTitle['files']) =>
    list.map(({ chapter, sha256 }) => `${chapter} ${sha256}`).join()
  return now && now.length > 0 && print(now) !== print(files) ? now : undefined
}

/** Undefined for interruptions that a later run continues: an expired session, a title no longer wanted. */
function reasonOf(failure: unknown): DownloadFailure | undefined {
  if (failure instanceof SignedOut) return undefined
  if (failure instanceof DOMException && failure.name === 'AbortError') return undefined
  // Also if the database record, not the sound itself, found no space.
  if (failure instanceof NoSpaceLeft || isQuotaExceeded(failure)) return 'space'
  if (failure instanceof FetchRefused) return failure.reason === 'refused' ? 'refused' : 'broken'
  return 'broken'
}
