import { Link } from '@tanstack/react-router'
import { NewPasswordForm } from '#features/account/NewPasswordForm.tsx'
import { useSession } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from './account.module.css'

interface ResetPasswordScreenProps {
  id: string
  token?: string | undefined
}

export function ResetPasswordScreen({ id, token = '' }: ResetPasswordScreenProps) {
  const signedIn = useSession((state) => state.status === 'user')
  return (
    <Wrap className={styles.screen}>
      <PageHead title="CHOOSE A NEW PASSWORD" hidden />
      {/* Keeps the token out of the referrer. */}
      <meta name="referrer" content="no-referrer" />
      <Display as="h1" size="lg">
        CHOOSE A NEW PASSWORD
      </Display>
      <NewPasswordForm
        id={id}
        token={token}
        logIn={
          signedIn ? undefined : (
            <LinkButton to="/login" look="solid">
              Log in
            </LinkButton>
          )
        }
      />
      <p className={styles.more}>
        The link works for one hour. <Link to="/forgot-password">Ask for another</Link>
      </p>
    </Wrap>
  )
}
