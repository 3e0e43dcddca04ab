import { Navigate } from '@tanstack/react-router'
import { BookshopShare } from '#features/cards/CardTitle.tsx'
import { addressOf } from '#features/cards/model.ts'
import { useRedemption } from '#features/cards/store.ts'
import { has, shop } from '#features/shop-details/shop.ts'
import { useSession } from '#session/store.ts'
import { LinkButton } from '#ui/Button.tsx'
import { BookOfCard } from './BookOfCard.tsx'

/** The title is in the library (RDM-10, RDM-11). */
export function Redeemed({ spiSIN }: { spiSIN: string | null }) {
  const redeemed = useRedemption((state) => (state.redeemed?.spiSIN === spiSIN ? state.redeemed : null))
  const ready = useSession((state) => state.ready)
  const owner = useSession((state) => (state.status === 'user' ? state.owner : null))
  if (!ready) return <div aria-busy="true" />
  if (!redeemed || !owner) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  const { audioBook, bookshop } = redeemed
  return (
    <BookOfCard
      book={audioBook}
      done={3}
      heading={`Welcome ${owner.firstName}`}
      lead={
        <>
          <i>{audioBook.title}</i> is now in your library.
        </>
      }
      ways={
        <>
          <LinkButton to="/library" look="beak" tone="title">
            Open your library
          </LinkButton>
          {has('audiobooks') && (
            <LinkButton to="/audiobooks" look="text" tone="title">
              Audiobooks
            </LinkButton>
          )}
          {has('journal') && (
            <LinkButton to="/murmurations" look="text" tone="title">
              {shop().journal}
            </LinkButton>
          )}
        </>
      }
    >
      <BookshopShare bookshop={bookshop} />
    </BookOfCard>
  )
}
