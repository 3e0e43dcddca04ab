import { Navigate } from '@tanstack/react-router'
import { addressOf } from '#features/cards/model.ts'
import { useRedemption } from '#features/cards/store.ts'
import { useSession } from '#session/store.ts'
import { LinkButton } from '#ui/Button.tsx'
import { BookOfCard } from './BookOfCard.tsx'

/** The code is good, and waits for its reader to come in (RDM-03, RDM-04, RDM-14). */
export function CodeReady({ spiSIN }: { spiSIN: string | null }) {
  const stored = useRedemption((state) => (state.stored?.spiSIN === spiSIN ? state.stored : null))
  const ready = useSession((state) => state.ready)
  const signedIn = useSession((state) => state.status === 'user')
  if (!ready) return <div aria-busy="true" />
  if (!stored || signedIn) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  const { audioBook, bookshop } = stored
  return (
    <BookOfCard
      book={audioBook}
      done={1}
      heading="Congratulations"
      lead={
        <>
          <i>{audioBook.title}</i>, from {bookshop}, is ready for you. Log in or make an account, and it goes
          into your library.
        </>
      }
      ways={
        <>
          <LinkButton {...addressOf({ step: 'sign-up', spiSIN })} look="beak" tone="title">
            Create an account
          </LinkButton>
          <LinkButton {...addressOf({ step: 'login', spiSIN })} look="quiet" tone="title">
            Log in
          </LinkButton>
        </>
      }
    />
  )
}
