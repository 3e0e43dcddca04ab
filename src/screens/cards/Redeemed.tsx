import { Navigate } from '@tanstack/react-router'
import { BookshopShare, CardTitle } from '#features/cards/CardTitle.tsx'
import { addressOf } from '#features/cards/model.ts'
import { useRedemption } from '#features/cards/store.ts'
import { coverOf, themeOf } from '#features/catalogue/model.ts'
import { useSession } from '#session/store.ts'
import { Cover } from '#ui/Cover.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { cardFacts } from './card-facts.ts'

/** The title is in the library (RDM-10, RDM-11). */
export function Redeemed({ spiSIN }: { spiSIN: string | null }) {
  const redeemed = useRedemption((state) => (state.redeemed?.spiSIN === spiSIN ? state.redeemed : null))
  const ready = useSession((state) => state.ready)
  const owner = useSession((state) => (state.status === 'user' ? state.owner : null))
  if (!ready) return <div aria-busy="true" />
  if (!redeemed || !owner) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  const { audioBook, bookshop } = redeemed
  return (
    <CardTitle
      theme={themeOf(audioBook)}
      cover={
        <Cover
          picture={coverOf(audioBook)}
          alt={audioBook.coverAlt}
          sizes="(min-width: 768px) 460px, 66vw"
          hero
        />
      }
      done={3}
      heading={`Welcome ${owner.firstName}`}
      lead={
        <>
          <i>{audioBook.title}</i> is now in your library.
        </>
      }
      facts={cardFacts(audioBook)}
      ways={
        <>
          <LinkButton to="/library" look="beak" tone="title">
            Open your library
          </LinkButton>
          <LinkButton to="/audiobooks" look="text" tone="title">
            Audiobooks
          </LinkButton>
          <LinkButton to="/murmurations" look="text" tone="title">
            Murmurations
          </LinkButton>
        </>
      }
    >
      <BookshopShare bookshop={bookshop} />
    </CardTitle>
  )
}
