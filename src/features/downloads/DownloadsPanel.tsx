import { useState, useEffect } from 'react'
import { bytes } from '#format/bytes.ts'
import { plural } from '#format/plural.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Display } from '#ui/Display.tsx'
import { Empty } from '#ui/Empty.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { openedDownloads, removeDownload } from './lazy.ts'
import { FinishedField } from './FinishedField.tsx'
import styles from './downloads.module.css'
import { useDownloadsStore, useDownload } from './store.ts'
import { type Holding, measureOthersSound, removeOthersSound } from '#storage/inventory.ts'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import { DownloadButton } from './DownloadButton.tsx'
import { FAILURE_WORDS } from './model.ts'
import { formatOfKey } from '#storage/title-key.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { toast } from '#ui/toast.ts'

/** The storage page without its frame: downloads, their size, and what can be removed. */
export function DownloadsPanel() {
  const stock = useStock()
  const lost = useDownloadsStore((state) => state.lost)
  const [by, setBy] = useState<SortBy>('size')
  const [asking, setAsking] = useState(false)
  if (!stock) return <Skeleton height={320} />

  const kept = sorted(
    stock.holdings.filter(({ title }) => title.kept === 1),
    by,
  )
  const ahead = stock.holdings.filter(({ title, bytes: held }) => title.kept === 0 && held > 0)
  const playable = kept.filter(({ files, title }) => files.length === title.files.length)
  const total = stock.holdings.reduce((sum, holding) => sum + holding.bytes, 0)
  const clear =
    total === 0 ? 'Cancel all downloads' : kept.length > 0 ? 'Remove all downloads' : 'Remove what’s saved'
  return (
    <div className={styles.panel}>
      {lost.length > 0 && (
        <p className={styles.notice} role="status">
          Your browser cleared parts of {plural(lost.length, 'download')}. We’re downloading them again, and
          your places are safe.
        </p>
      )}
      <SpaceLine storage={stock.storage} heldBytes={total} />
      {kept.length === 0 ? (
        <Empty
          title={ahead.length > 0 ? 'No whole title on this device yet.' : 'Nothing on this device yet.'}
          help="Download a title from your library, before the train leaves."
          action={
            <LinkButton to="/library" look="solid">
              Open your library
            </LinkButton>
          }
        />
      ) : (
        <>
          <div className={styles.head}>
            <Display as="h2" size="sm">
              {playable.length === 0
                ? 'Nothing plays offline yet'
                : `${plural(playable.length, 'title')} for offline`}
            </Display>
            <SelectField
              label="Sort by"
              value={by}
              onChange={({ target }) => isSort(target.value) && setBy(target.value)}
            >
              {Object.entries(SORTS).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
          </div>
          <ul role="list" className={styles.list}>
            {kept.map((holding) => (
              <DownloadRow key={holding.title.key} holding={holding} />
            ))}
          </ul>
          <FinishedField />
        </>
      )}
      {ahead.length > 0 && <KeptAhead holdings={ahead} />}
      {kept.length + ahead.length > 0 && (
        <>
          <Button look="quiet" onClick={() => setAsking(true)}>
            {clear}
          </Button>
          <Dialog
            open={asking}
            onOpenChange={setAsking}
            title={`${clear}? Your library and your places stay yours.`}
            closeLabel="Keep them"
            actions={
              <Button
                look="danger"
                onClick={() => {
                  setAsking(false)
                  void openedDownloads()?.then((downloads) => downloads.removeAll())
                }}
              >
                {total === 0 ? 'Cancel all' : `Remove all, ${bytes(total)}`}
              </Button>
            }
          />
        </>
      )}
      <OthersDownloads />
    </div>
  )
}

interface StorageFacts {
  /** All bytes that this site stores, as the browser estimates them. */
  usedBytes: number
  /** The bytes that may still be stored, as the browser estimates them: the disk may be fuller (trap 12). */
  freeBytes: number
  /** The browser has granted persistent storage. */
  lasting: boolean
}

/** Undefined if the browser doesn't support it. */
async function readStorage(): Promise<StorageFacts | undefined> {
  try {
    const [estimate, lasting] = await Promise.all([
      navigator.storage.estimate(),
      navigator.storage.persisted?.() ?? false,
    ])
    const usedBytes = estimate.usage ?? 0
    return { usedBytes, freeBytes: Math.max(0, (estimate.quota ?? 0) - usedBytes), lasting }
  } catch {
    return undefined
  }
}

export interface Stock {
  holdings: readonly Holding[]
  storage: StorageFacts | undefined
}

/** The titles on the device, read again after every change of a download; undefined until the first read. */
function useStock(): Stock | undefined {
  const byTitle = useDownloadsStore((state) => state.byTitle)
  const [stock, setStock] = useState<Stock>()
  useEffect(() => {
    let gone = false
    void (async () => {
      const holdings = (await openedDownloads()?.catch(() => undefined))?.holdings() ?? []
      const storage = await readStorage()
      if (!gone) setStock({ holdings, storage })
    })()
    return () => {
      gone = true
    }
  }, [byTitle])
  return stock
}

type SortBy = 'size' | 'title' | 'newest'
export const SORTS: Record<SortBy, string> = { size: 'Largest first', title: 'Title', newest: 'Newest first' }
export const isSort = (value: string): value is SortBy => value in SORTS

const ORDERS: Record<SortBy, (a: Holding, b: Holding) => number> = {
  size: (a, b) => b.bytes - a.bytes,
  title: (a, b) => a.title.title.localeCompare(b.title.title, 'en-GB'),
  newest: (a, b) => b.title.addedAtMs - a.title.addedAtMs,
}

export const sorted = (holdings: readonly Holding[], by: SortBy): Holding[] => holdings.toSorted(ORDERS[by])

function SpaceLine({ storage, heldBytes }: { storage: StorageFacts | undefined; heldBytes: number }) {
  if (!storage)
    return (
      <p className={styles.note}>
        {bytes(heldBytes)} of downloads. This browser doesn’t say how much space is left.
      </p>
    )
  const { usedBytes, freeBytes, lasting } = storage
  return (
    <div className="stack gap-2">
      <ProgressLine
        share={usedBytes / Math.max(1, usedBytes + freeBytes)}
        label="Space used"
        valueText={`${bytes(heldBytes)} of downloads, about ${bytes(freeBytes)} free`}
      />
      <p className={styles.note}>
        {bytes(heldBytes)} of downloads. About {bytes(freeBytes)} free, by the browser’s own estimate.{' '}
        {lasting
          ? 'Your browser has agreed to keep them.'
          : 'Your browser may clear them if this device runs low on space. Installing the app makes that less likely.'}
      </p>
    </div>
  )
}

function DownloadRow({ holding: { title, bytes: held } }: { holding: Holding }) {
  const { state, failure, share, totalBytes } = useDownload(title.key)
  return (
    <li className={styles.row}>
      <StoredCover bytes={title.cover} type={title.coverType} />
      <div className={styles.words}>
        <p className={styles.title}>{title.title}</p>
        <p className={styles.rowNote}>{title.authors.join(', ')}</p>
        <p className={styles.rowNote}>
          {state === 'done' && `${bytes(held)}, plays offline`}
          {state === 'downloading' && `${Math.round(share * 100)}% of ${bytes(totalBytes)}`}
          {state === 'waiting' && 'Waiting for its turn or a connection'}
          {state === 'failed' && failure && FAILURE_WORDS[failure]}
          {title.key.startsWith('audio/') &&
            `${state === 'failed' ? ' ' : ', '}${plural(title.files.length, 'chapter')}`}
        </p>
      </div>
      <DownloadButton titleKey={title.key} of={title.title} />
    </li>
  )
}

function StoredCover({ bytes: picture, type }: { bytes: ArrayBuffer | null; type: string }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!picture) return undefined
    const url = URL.createObjectURL(new Blob([picture], { type }))
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [picture, type])
  return address ? <img className={styles.cover} src={address} alt="" /> : <span className={styles.cover} />
}

/** Automatic downloads: the next chapters and opened e-books, stored temporarily and removed first. */
export function KeptAhead({ holdings }: { holdings: readonly Holding[] }) {
  return (
    <section aria-labelledby="kept-ahead">
      <Display as="h2" size="sm" id="kept-ahead">
        Saved for what you’re listening to and reading
      </Display>
      <ul role="list" className={styles.aheadList}>
        {holdings.map(({ title, files, bytes: held }) => (
          <li key={title.key} className={styles.aheadRow}>
            <span className={styles.aheadTitle}>
              {title.title}{' '}
              <span className={styles.aheadNote}>
                {formatOfKey(title.key) === 'ebook' ? 'E-book' : plural(files.length, 'chapter')},{' '}
                {bytes(held)}
              </span>
            </span>
            <Button
              look="text"
              aria-label={`Remove ${title.title}`}
              onClick={() => void removeDownload(title.key)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles.aheadNote}>
        The next chapters and the books you have open, in case your connection drops. They make way when space
        runs low.
      </p>
    </section>
  )
}

/** Shows the space that other users' downloads take, and lets the current user free it. Never shows owners or titles. */
function OthersDownloads() {
  const ownerUuid = useSession((state) => state.owner?.uuid)
  const [held, setHeld] = useState(0)
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    let isOver = false
    if (ownerUuid)
      void measureOthersSound(ownerUuid).then(
        (measured) => !isOver && setHeld(measured),
        () => undefined,
      )
    return () => {
      isOver = true
    }
  }, [ownerUuid])
  if (!ownerUuid || held === 0) return null

  const remove = async () => {
    setAsking(false)
    try {
      await removeOthersSound(ownerUuid)
      announce(`${bytes(held)} freed`)
      setHeld(0)
    } catch {
      toast('Some downloads could not be removed. Please try again.')
    }
  }
  return (
    <section className="stack gap-3" aria-labelledby="others-downloads">
      <Display as="h2" size="sm" id="others-downloads">
        Other people’s downloads: {bytes(held)}
      </Display>
      <p className={styles.aheadNote}>
        Saved by other people who’ve used this device. You can’t see what they are, but you can free up the
        space.
      </p>
      <p>
        <Button look="quiet" onClick={() => setAsking(true)}>
          Remove their downloads
        </Button>
      </p>
      <Dialog
        low
        open={asking}
        onOpenChange={setAsking}
        title="Remove other people’s downloads?"
        closeLabel="Keep them"
        actions={
          <Button look="danger" onClick={() => void remove()}>
            Remove, {bytes(held)}
          </Button>
        }
      >
        <p>They can download them again. Their libraries and places stay as they are.</p>
      </Dialog>
    </section>
  )
}
