import type { ReactNode } from 'react'
import { titleKey } from '#storage/title-key.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { useOwnEntries } from '#features/library/use-own-entries.ts'
import { usePlayer } from '#features/player/store.ts'
import { useSeriesOffer } from '#features/queue/use-series-offer.ts'
import { price, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import styles from './FinishedNext.module.css'

/** The title that begins by itself, with time to say no; else the next of the series, to be bought; else `fallback`. */
export function NextUp({ slug, fallback }: { slug: string; fallback: ReactNode }) {
  const next = usePlayer((store) => store.nextUp)
  const control = usePlayer((store) => store.player?.nextUp)
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const online = useOnline()
  const owned = useOwnEntries(owner, online)
  const offer = useSeriesOffer(owner, slug, online)
  if (!next)
    return (
      <>
        {offer && <Offer {...offer} />}
        {fallback}
      </>
    )
  const picture = owned.get(titleKey('audio', next.slug))?.picture
  return (
    <section aria-labelledby="next-up">
      <Display as="h2" size="sm" id="next-up">
        Next in {plural(next.secondsLeft, 'second')}
      </Display>
      <div className={styles.next}>
        {picture && <Cover picture={picture} alt="" sizes="88px" />}
        <div>
          <p className={styles.name}>{next.title}</p>
          <p className={styles.soft}>{next.why}</p>
        </div>
      </div>
      <div className="stack gap-2">
        <Button look="beak" block tall onClick={() => control?.now()}>
          Play it now
        </Button>
        <Button look="quiet" block tall onClick={() => control?.no()}>
          Not now
        </Button>
      </div>
    </section>
  )
}

const Offer = ({ series, book, why }: NonNullable<ReturnType<typeof useSeriesOffer>>) => (
  <section aria-labelledby="next-offered">
    <Display as="h2" size="sm" id="next-offered">
      Next in {series}
    </Display>
    <div className={styles.next}>
      <Cover picture={coverOf(book)} alt="" sizes="88px" />
      <div>
        <p className={styles.name}>{book.title}</p>
        <p className={styles.soft}>{[why, price(toMinor(book.price))].join(', ')}</p>
        <p className={styles.soft}>Not in your library yet</p>
      </div>
    </div>
    <LinkButton to="/audiobooks/$slug" params={{ slug: book.slug }} look="quiet" block>
      See {book.title}
    </LinkButton>
  </section>
)
