import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { BookHero } from '#features/catalogue/BookHero.tsx'
import { bookQuery, ownBookQuery } from '#features/catalogue/queries.ts'
import { themeOf } from '#features/catalogue/model.ts'
import { useSession } from '#session/store.ts'
import { Band } from '#ui/Band.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { BookActions } from '../-catalogue/BookActions.tsx'
import styles from './player.module.css'

interface NoSoundScreenProps {
  slug: string
  onBack: () => void
  /** Called once the title has audio: it was bought, or its files were added. */
  onSound: () => void
}

/**
 * Replaces the player if there is no audio for this listener: offers login, price and sample, or the reason.
 */
export function NoSoundScreen({ slug, onBack, onSound }: NoSoundScreenProps) {
  const owner = useSession(({ status, owner: known }) => (status === 'user' ? known?.uuid : undefined))
  const shown = useQuery(bookQuery('audio_books', slug))
  const own = useQuery({ ...ownBookQuery('audio_books', slug, owner ?? ''), enabled: owner !== undefined })
  const book = own.data ?? shown.data
  const hasSound = (own.data?.audioFiles.length ?? 0) > 0
  const play = useEffectEvent(onSound)
  useEffect(() => {
    if (hasSound) play()
  }, [hasSound])
  if (!book) return <div aria-busy="true" />
  return (
    <>
      <PageHead title={book.title} hidden />
      <Band theme={themeOf(book)} as="div">
        <Wrap className={styles.bar}>
          <IconButton label="Back" icon={<Icon of={CaretLeftIcon} />} onClick={onBack} />
          <p role="status">
            {book.inLibrary
              ? 'There’s nothing to play here.'
              : owner
                ? 'This one isn’t in your library yet.'
                : 'Already own it? Log in to carry on listening.'}
          </p>
          {!owner && (
            <LinkButton to="/login" search={{ from: `/player/${slug}` }} look="quiet" tone="title">
              Log in
            </LinkButton>
          )}
        </Wrap>
      </Band>
      <BookHero
        book={book}
        owned={book.inLibrary}
        actions={<BookActions book={book} />}
        extras={
          <Link to="/audiobooks/$slug" params={{ slug }} className="text-link">
            More about this book
          </Link>
        }
      />
    </>
  )
}
