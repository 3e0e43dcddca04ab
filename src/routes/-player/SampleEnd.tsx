import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Book } from '#contract/catalogue.ts'
import { priced } from '#features/analytics/use-views.ts'
import { track } from '#features/analytics/track.ts'
import { BuyButton } from '#features/bag/BuyButton.tsx'
import { BookPrice } from '#features/catalogue/BookPrice.tsx'
import { lengthOf } from '#features/catalogue/model.ts'
import { bookQuery, ownBookQuery } from '#features/catalogue/queries.ts'
import { OnePress, useCardFor } from '#features/checkout/one-press.tsx'
import { listenTo } from '#features/player/lazy.ts'
import type { Playable } from '#features/player/model.ts'
import { usePlayer } from '#features/player/store.ts'
import { currentSession, useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { coverPlace } from '#ui/carry-cover.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { useLogInFirst } from '#app/pop-ups/authentication.ts'
import styles from './player.module.css'

interface SampleEndProps {
  title: Playable
  onMinimise: () => void
}

/** The end of a sample: what the book costs, and one press to have the rest of it. */
export function SampleEnd({ title, onMinimise }: SampleEndProps) {
  const controls = usePlayer((store) => store.controls)
  const owner = useSession(({ status, owner: known }) => (status === 'user' ? known?.uuid : undefined))
  const shown = useQuery(bookQuery('audio_books', title.slug))
  const own = useQuery({
    ...ownBookQuery('audio_books', title.slug, owner ?? ''),
    enabled: owner !== undefined,
  })
  const book = own.data ?? shown.data
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    announce(`That was the sample of ${title.title}.`)
    // The pressed control of the player is gone.
    if (document.activeElement === document.body) heading.current?.focus()
  }, [title])
  return (
    <div className={styles.sampleEnd}>
      <div className={styles.finishedTop}>
        <IconButton label="Minimise player" icon={<Icon of={CaretDownIcon} />} onClick={onMinimise} />
        <p className={styles.state}>End of the sample</p>
        <span />
      </div>
      <Cover
        picture={title.cover}
        alt={title.coverAlt}
        sizes="(min-width: 900px) 486px, 320px"
        hero
        style={coverPlace('player-cover')}
      />
      <div>
        <Display as="h1" size="lg" ref={heading} tabIndex={-1}>
          {title.title}
        </Display>
        <p className={styles.facts}>
          {book && lengthOf(book) ? `${lengthOf(book)} to go.` : 'There’s more of it.'}
          {title.narrator && ` Read by ${title.narrator}.`}
        </p>
        {book && <Offer book={book} />}
        <Button look="text" tone="title" onClick={() => controls?.play()}>
          Hear the sample again
        </Button>
      </div>
    </div>
  )
}

function Offer({ book }: { book: Book }) {
  const logIn = useLogInFirst()
  const navigate = useNavigate()
  const hasCard = useCardFor(book) !== undefined
  const { slug } = book
  if (book.inLibrary)
    return (
      <div className={styles.offer}>
        <Button
          tone="title"
          tall
          onClick={() =>
            void listenTo(
              { slug, kind: 'book' },
              () => void navigate({ to: '/player/$slug', params: { slug }, replace: true }),
            )
          }
        >
          <Icon of={PlayIcon} size={20} filled />
          Play the book
        </Button>
      </div>
    )
  return (
    <>
      <BookPrice book={book} />
      <div className={styles.offer}>
        <OnePress book={book} />
        <BuyButton
          key={slug}
          book={book}
          quiet={hasCard}
          onLogInFirst={logIn}
          onAdded={(added) => void track((events) => events.addToCart(priced(added, isPremium())))}
        />
      </div>
    </>
  )
}

const isPremium = () => currentSession().user?.currentSubscription != null
