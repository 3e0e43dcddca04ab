import { useQuery } from '@tanstack/react-query'
import { usePlayer } from '#features/player/store.ts'
import { useSession } from '#session/store.ts'
import { toast } from '#ui/toast.ts'
import { useNow } from '#ui/use-now.ts'
import { clock, spokenClock } from '#format/clock.ts'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { openedListening } from './lazy.ts'
import { useTitleNames, historyQuery } from './queries.ts'
import styles from './listening.module.css'
import { when } from './model.ts'

/** The earlier places of a book, each with a button to return to it. Rendered in a sheet. */
export function EarlierPlaces({ slug, onDone }: { slug: string; onDone: () => void }) {
  const owner = useSession((state) => state.owner?.uuid)
  const names = useTitleNames(slug)
  const now = useNow()
  if (!owner) return null

  const goBack = async (place: { chapter: number; seconds: number }) => {
    await (await openedListening())?.returnTo(slug, place)
    const { controls, state } = usePlayer.getState()
    if (state.title?.kind === 'book' && state.title.slug === slug) controls?.goTo(place)
    onDone()
    toast('Back where you were. Press play to carry on.')
  }
  return (
    <History
      ownerUuid={owner}
      slug={slug}
      {...(names ? { chapterNames: names.chapters } : {})}
      nowMs={now}
      onReturn={(place) => void goBack(place)}
    />
  )
}

interface HistoryProps {
  ownerUuid: string
  slug: string
  chapterNames?: ReadonlyMap<number, string>
  nowMs: number
  onReturn: (place: { chapter: number; seconds: number }) => void
}

function History({ ownerUuid, slug, chapterNames, nowMs, onReturn }: HistoryProps) {
  const { data: places } = useQuery(historyQuery(ownerUuid, slug))
  if (!places) return <Skeleton height={240} />
  if (places.length === 0)
    return <p className={styles.none}>Nothing yet. Every place you leave behind is kept here.</p>
  return (
    <ul role="list" className={styles.list}>
      {places.map((place) => {
        const name = chapterNames?.get(place.chapter) ?? `Chapter ${place.chapter}`
        return (
          <li key={`${place.heardAt} ${place.chapter} ${place.seconds}`} className={styles.row}>
            <div>
              <p className={styles.chapter}>{name}</p>
              <p className={styles.time}>
                {clock(place.seconds)}, {place.isRead && 'read '}
                <time dateTime={place.heardAt}>{when(place.heardAt, nowMs)}</time>
                {place.deviceId &&
                  `, ${place.heardOnThisDevice ? 'this device' : (place.deviceName ?? 'another device')}`}
              </p>
            </div>
            <Button
              look="quiet"
              aria-label={`Go back to ${name} at ${spokenClock(place.seconds)}`}
              onClick={() => onReturn(place)}
            >
              Go back
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

interface HistorySheetProps {
  slug: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

export const HistorySheet = ({ slug, open, onOpenChange }: HistorySheetProps) => (
  <Sheet open={open} onOpenChange={onOpenChange} title="Listening history">
    <EarlierPlaces slug={slug} onDone={() => onOpenChange(false)} />
  </Sheet>
)
