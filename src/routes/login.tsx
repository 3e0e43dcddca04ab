import { createFileRoute, Link, Navigate, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { giftLink, type GiftLink } from '#features/account/gift-link.ts'
import { LogInForm } from '#features/account/LogInForm.tsx'
import { shop } from '#features/shop-details/shop.ts'
import { fromSearch } from '#format/address.ts'
import { logIn } from '#session/log-in.ts'
import { useSession } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-account/account.module.css'

export const Route = createFileRoute('/login')({
  staticData: { frame: 'own' },
  validateSearch: (search) => ({ ...giftLink(search), ...fromSearch(search) }),
  component: () => {
    const search = Route.useSearch()
    return <LogInScreen {...search} />
  },
})

function LogInScreen({ from, ...gift }: { from?: string | undefined } & GiftLink) {
  const navigate = useNavigate()
  const router = useRouter()
  const owner = useSession((state) => state.owner)
  // Users who were logged in already are redirected; a new log-in is handled by `done`.
  const alreadyIn = useSession((state) => state.ready && state.status === 'user')
  if (alreadyIn && !justLoggedIn) return <AlreadyIn type={gift.type} />

  const done = () => {
    justLoggedIn = false
    // Bookshop accounts are redirected to the point of sale (ACC-05).
    if (from) router.history.replace(from)
    else void navigate({ to: '/', replace: true })
  }
  const submit = async (email: string, password: string) => {
    justLoggedIn = true
    try {
      await logIn(email, password)
    } catch (problem) {
      justLoggedIn = false
      throw problem
    }
  }
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Log in" hidden />
      <Display as="h1" size="lg">
        Log in
      </Display>
      <p className={styles.lead}>
        {owner
          ? `Welcome back, ${owner.firstName}. Your downloads kept playing.`
          : 'Pick up where you left off.'}
      </p>
      <LogInForm
        logIn={submit}
        onDone={done}
        email={gift.email ?? owner?.email}
        others={
          <>
            <Link to="/forgot-password">Forgotten your password?</Link>
            <Link to="/sign-up" search={gift}>
              Join {shop().name}
            </Link>
          </>
        }
      />
    </Wrap>
  )
}

/** ACC-04. */
function AlreadyIn({ type }: { type: string | undefined }) {
  const { history } = useRouter()
  useEffect(() => {
    if (type === 'subscription') history.replace('/subscription-details')
  }, [history, type])
  return type === 'subscription' ? null : <Navigate to="/settings" replace />
}

/** The screen renders once more between log-in and navigation. */
let justLoggedIn = false
