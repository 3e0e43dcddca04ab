import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { loadSettings, settingsQuery } from '#features/cards/queries.ts'
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { LogInForm } from '#features/account/LogInForm.tsx'
import { CardSum, DrawnCard, loadCardSum, useExampleCard } from '#features/cards/DrawnCard.tsx'
import { themeOf } from '#features/catalogue/model.ts'
import { Mail, Phone } from '#features/cards/WhomToAsk.tsx'
import { logIn } from '#session/log-in.ts'
import { logOut } from '#session/log-out.ts'
import { useSession } from '#session/store.ts'
import { Band, useBand } from '#ui/Band.tsx'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { StarterPack } from '#routes/-outlets/StarterPack.tsx'
import styles from '#routes/-outlets/reseller.module.css'

export const Route = createFileRoute('/reseller')({
  staticData: { frame: 'point-of-sale' },
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([loadSettings(queryClient), loadCardSum(queryClient)])
  },
  component: ResellerScreen,
})

/** For booksellers: what selling our cards brings, and the way to their desk (RESL-01 to RESL-03). */
function ResellerScreen() {
  const settings = useQuery(settingsQuery()).data
  const card = useExampleCard()
  const { status } = useSession()
  const theme = useMemo(() => (card ? themeOf(card) : undefined), [card])
  useBand(theme ?? null)
  const head = (
    <div>
      <Display as="h1" size="lg">
        For booksellers
      </Display>
      <p className={styles.lead}>
        An audiobook you can sell over the counter. Scan it at the till and it’s theirs.
      </p>
      {status !== 'user' && (
        <a href="#log-in" className="text-link">
          Bookshop log in
        </a>
      )}
    </div>
  )
  return (
    <>
      <PageHead
        title="For booksellers"
        description="Sell our audiobooks as cards: no upfront costs, and a commission on what your customers buy later."
        canonical="/reseller"
      />
      {card && theme ? (
        <Band theme={theme} as="div">
          <Wrap className={styles.top}>
            {head}
            <DrawnCard book={card} />
          </Wrap>
        </Band>
      ) : (
        <Wrap className={styles.top}>{head}</Wrap>
      )}
      <Wrap className={styles.screen}>
        <div className={styles.offer}>
          <div>
            <ul role="list" className={styles.benefits}>
              <li>No upfront costs</li>
              <li>60% wholesale discount</li>
              <li>10% commission on future customer purchases</li>
              <li>Monthly catalogue additions</li>
            </ul>
            <StarterPack />
          </div>
          {card && <CardSum book={card} />}
        </div>
        <Counter />
        <p className={styles.more}>
          Questions about cards or your account? We’re here:{' '}
          {settings?.bookshopPhone && (
            <>
              ring <Phone number={settings.bookshopPhone} />,{' '}
            </>
          )}
          {settings && (
            <>
              write to <Mail to={settings.bookshopMail} />, or{' '}
            </>
          )}
          <Link to="/info/$slug" params={{ slug: 'support' }}>
            get in touch
          </Link>
          .
        </p>
      </Wrap>
    </>
  )
}

function Counter() {
  const navigate = useNavigate()
  const { status, user } = useSession()
  if (status === 'user' && user?.outlet)
    return (
      <p className={styles.ways}>
        <LinkButton to="/activation" look="solid">
          Activate a card
        </LinkButton>
      </p>
    )
  if (status === 'user')
    return (
      <>
        <p>You are logged in as a listener. To use a bookshop’s account, please log out first.</p>
        <p>
          <Button look="quiet" onClick={() => void logOut()}>
            Log out
          </Button>
        </p>
      </>
    )
  return (
    <>
      <Display as="h2" size="sm" id="log-in">
        Log in to your desk
      </Display>
      <LogInForm
        logIn={logIn}
        // That screen sends listeners on.
        onDone={() => void navigate({ to: '/activation' })}
        others={<Link to="/forgot-password">Forgotten your password?</Link>}
      />
    </>
  )
}
