import { type ReactNode, useEffect, useState } from 'react'
import { followCodeOfOtherTabs, type StoredCode, useRedemption } from '#features/cards/store.ts'
import { PageHead } from '#app/page/PageHead.tsx'
import { EnterCode } from './EnterCode.tsx'
import type { RedemptionAt } from '#features/cards/queries.ts'
import { Link, Navigate, useNavigate, useRouter } from '@tanstack/react-router'
import { addressOf } from '#features/cards/model.ts'
import { useSession } from '#session/store.ts'
import { LinkButton, Button } from '#ui/Button.tsx'
import { CardTitle, BookshopShare } from './CardTitle.tsx'
import { LogInForm } from '#features/account/LogInForm.tsx'
import { logIn, openSession } from '#session/log-in.ts'
import { useLogInToRedeem } from '#features/cards/redeem.ts'
import { register } from '#features/account/mutations.ts'
import { RedeemerForm } from '#features/account/RedeemerForm.tsx'
import { coverOf } from '#features/catalogue/model.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './redemption.module.css'
import { has, shop } from '#features/shop-details/shop.ts'
import { SupportMail } from '#features/cards/WhomToAsk.tsx'

const TITLES = {
  confirmation: 'Your code is good',
  login: 'Log in to redeem',
  'sign-up': 'Create an account to redeem',
  welcome: 'Welcome',
  error: 'Problem redeeming your audiobook',
} as const

/** The steps of redeeming a code, for any card and for the cards of one title (RDM-28). */
export function RedemptionScreen({ place, title }: RedemptionAt) {
  useEffect(() => followCodeOfOtherTabs(), [])
  const { step, spiSIN } = place
  if (step === 'enter') return <EnterCode spiSIN={spiSIN} title={title} />
  return (
    <>
      <PageHead title={TITLES[step]} hidden />
      <OnDevice>
        {step === 'confirmation' && <CodeReady spiSIN={spiSIN} />}
        {step === 'login' && <LogInToRedeem spiSIN={spiSIN} />}
        {step === 'sign-up' && <SignUpToRedeem spiSIN={spiSIN} />}
        {step === 'welcome' && <Redeemed spiSIN={spiSIN} />}
        {step === 'error' && <RedemptionError spiSIN={spiSIN} />}
      </OnDevice>
    </>
  )
}

/** Renders after hydration, because only this device knows the code. */
function OnDevice({ children }: { children: ReactNode }) {
  const [isHydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  return isHydrated ? children : <div aria-busy="true" />
}

/** The code is valid, and waits for a log-in (RDM-03, RDM-04, RDM-14). */
function CodeReady({ spiSIN }: { spiSIN: string | null }) {
  const stored = useRedemption((state) => (state.stored?.spiSIN === spiSIN ? state.stored : null))
  const ready = useSession((state) => state.ready)
  const signedIn = useSession((state) => state.status === 'user')
  if (!ready) return <div aria-busy="true" />
  if (!stored || signedIn) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  const { audioBook, bookshop } = stored
  return (
    <CardTitle
      book={audioBook}
      done={1}
      heading="Congratulations"
      lead={
        <>
          <i>{audioBook.title}</i>, from {bookshop}, is ready for you. Log in or make an account, and it goes
          into your library.
        </>
      }
      actions={
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

/** RDM-05, RDM-16, RDM-24. */
function LogInToRedeem({ spiSIN }: { spiSIN: string | null }) {
  const stored = useRedemption((state) => (state.stored?.spiSIN === spiSIN ? state.stored : null))
  const { alreadyIn, comeIn } = useLogInToRedeem(spiSIN)
  if (alreadyIn) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  return (
    <AccountStep heading="Log in" stored={stored}>
      <LogInForm
        logIn={(email, password) => comeIn(() => logIn(email, password))}
        // `comeIn` navigates.
        onDone={() => undefined}
        others={
          <>
            <Link to="/forgot-password">Forgotten your password?</Link>
            <Link {...addressOf({ step: 'sign-up', spiSIN })}>Create an account</Link>
          </>
        }
      />
    </AccountStep>
  )
}

/** RDM-06, RDM-25. */
function SignUpToRedeem({ spiSIN }: { spiSIN: string | null }) {
  const navigate = useNavigate()
  const stored = useRedemption((state) => (state.stored?.spiSIN === spiSIN ? state.stored : null))
  const { alreadyIn, comeIn } = useLogInToRedeem(spiSIN)
  if (alreadyIn) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  return (
    <AccountStep heading="Create an account" stored={stored}>
      <RedeemerForm
        register={async (registration) => {
          const pair = await register(registration)
          // The account exists, whether or not this device can log in now; the code waits for another try.
          await comeIn(() => openSession(pair)).catch(() =>
            navigate({ ...addressOf({ step: 'login', spiSIN }), replace: true }),
          )
        }}
        others={<Link {...addressOf({ step: 'login', spiSIN })}>I have an account</Link>}
      />
    </AccountStep>
  )
}

interface AccountStepProps {
  heading: string
  stored: StoredCode | null
  children: ReactNode
}

const AccountStep = ({ heading, stored, children }: AccountStepProps) => (
  <Wrap className={styles.step}>
    <Display as="h1" size="lg">
      {heading}
    </Display>
    {stored && (
      <p className={styles.waiting}>
        <span className={styles.thumb}>
          <Cover picture={coverOf(stored.audioBook)} alt="" sizes="56px" thumb />
        </span>
        <span>
          <i>{stored.audioBook.title}</i> is waiting for you.
        </span>
      </p>
    )}
    {children}
  </Wrap>
)

/** The title is in the library (RDM-10, RDM-11). */
function Redeemed({ spiSIN }: { spiSIN: string | null }) {
  const redeemed = useRedemption((state) => (state.redeemed?.spiSIN === spiSIN ? state.redeemed : null))
  const ready = useSession((state) => state.ready)
  const owner = useSession((state) => (state.status === 'user' ? state.owner : null))
  if (!ready) return <div aria-busy="true" />
  if (!redeemed || !owner) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  const { audioBook, bookshop } = redeemed
  return (
    <CardTitle
      book={audioBook}
      done={3}
      heading={`Welcome ${owner.firstName}`}
      lead={
        <>
          <i>{audioBook.title}</i> is now in your library.
        </>
      }
      actions={
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
    </CardTitle>
  )
}

/** The end of a code that was refused (ERR-20 to ERR-22, RDM-12, RDM-13). */
function RedemptionError({ spiSIN }: { spiSIN: string | null }) {
  const router = useRouter()
  const [refused] = useState(() => router.state.location.state.refusedCode)
  if (!refused) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  return (
    <Wrap className={styles.error}>
      <Display as="h1" size="lg">
        Oops!
      </Display>
      <p className="lead">There has been a problem redeeming your audiobook.</p>
      {refused === 'unrecognised' ? (
        <p>
          The redemption code you’ve entered has not been recognised. Please check for typos and try again.
        </p>
      ) : (
        <p>
          The redemption code you’ve entered has already been redeemed. Please check with the person who gave
          you the card.
        </p>
      )}
      <p>
        Still stuck? Contact support at <SupportMail /> and we’ll sort it out.
      </p>
      <Button look="beak" onClick={() => router.history.back()}>
        Try again
      </Button>
    </Wrap>
  )
}
