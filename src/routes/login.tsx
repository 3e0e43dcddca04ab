import { createFileRoute, Navigate, useNavigate, useRouter } from '@tanstack/react-router'
import { LogInForm } from '#features/account/LogInForm.tsx'
import { logIn } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '../app/PageHead.tsx'
import styles from './-LogInScreen.module.css'

export const Route = createFileRoute('/login')({
  validateSearch: (search): { from?: string } => {
    // Only ever back to a screen of ours.
    const from = typeof search.from === 'string' && /^\/(?!\/)/.test(search.from) ? search.from : undefined
    return from ? { from } : {}
  },
  component: LogInScreen,
})

function LogInScreen() {
  const { from } = Route.useSearch()
  const navigate = useNavigate()
  const router = useRouter()
  const owner = useSession((state) => state.owner)
  // Somebody who is already in has no use for this screen (ACC-04); somebody who just got in goes on below.
  const alreadyIn = useSession((state) => state.ready && state.status === 'user')
  if (alreadyIn && !justLoggedIn) return <Navigate to="/settings" replace />

  const done = () => {
    justLoggedIn = false
    if (from) router.history.replace(from)
    else void navigate({ to: '/', replace: true })
  }
  const enter = async (email: string, password: string) => {
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
      <LogInForm logIn={enter} onDone={done} />
    </Wrap>
  )
}

/** Between the session's change and the navigation the screen is drawn once more. */
let justLoggedIn = false
