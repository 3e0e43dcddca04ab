import { Navigate } from '@tanstack/react-router'
import { CardTitle } from '#features/cards/CardTitle.tsx'
import { addressOf } from '#features/cards/model.ts'
import { useRedemption } from '#features/cards/store.ts'
import { coverOf, themeOf } from '#features/catalogue/model.ts'
import { useSession } from '#session/store.ts'
import { Cover } from '#ui/Cover.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { cardFacts } from './card-facts.ts'

/** The code is good, and waits for its reader to come in (RDM-03, RDM-04, RDM-14). */
export function CodeReady({ spiSIN }: { spiSIN: string | null }) {
  const held = useRedemption((state) => (state.held?.spiSIN === spiSIN ? state.held : null))
  const ready = useSession((state) => state.ready)
  const signedIn = useSession((state) => state.status === 'user')
  if (!ready) return <div aria-busy="true" />
  if (!held || signedIn) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  const { audioBook, bookshop } = held
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
      done={1}
      heading="Congratulations"
      lead={
        <>
          <i>{audioBook.title}</i>, from {bookshop}, is ready for you. Tell us whose library it belongs in.
        </>
      }
      facts={cardFacts(audioBook)}
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
