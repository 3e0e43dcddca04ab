import { useState } from 'react'
import { bytes } from '#format/bytes.ts'
import { plural } from '#format/plural.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Display } from '#ui/Display.tsx'
import { Empty } from '#ui/Empty.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { openedDownloads } from './lazy.ts'
import { FinishedField } from './FinishedField.tsx'
import { DownloadRow } from './DownloadRow.tsx'
import { KeptAhead } from './KeptAhead.tsx'
import styles from './downloads.module.css'
import { OthersDownloads } from './OthersDownloads.tsx'
import { isSort, SORTS, sorted, type SortBy } from './sort.ts'
import { SpaceLine } from './SpaceLine.tsx'
import { useDownloadsStore } from './store.ts'
import { useStock } from './use-stock.ts'

/** Everything of the storage page but its frame: what plays now, what it weighs, what may go. */
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
