import { useState } from 'react'
import { CheckMail } from '#features/account/ConfirmForms.tsx'
import { ForgotPassword } from '#features/account/PasswordForms.tsx'
import { LogInForm } from '#features/account/LogInForm.tsx'
import { provePassword, register } from '#features/account/mutations.ts'
import { ProveByPasskey, ProveForm } from '#features/account/ProveForm.tsx'
import { RegisterForm } from '#features/account/RegisterForm.tsx'
import { useCheckoutDraft } from '#features/checkout/store.ts'
import { shop } from '#features/shop-details/shop.ts'
import { openSession, logIn } from '#session/log-in.ts'
import { reloadUser } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { answerProof } from './proof.ts'
import { type PopUp, showPopUp, usePopUp } from './pop-up-store.ts'

/** Log in, join, or ask for a new password without leaving the page (AUTHUI-01 to AUTHUI-04). */
export function AuthenticationPopUp() {
  const open = usePopUp((state) => state.open)
  // Keeps its content while it fades out.
  const [last, setLast] = useState<PopUp>('log-in')
  if (open && open !== last) setLast(open)
  const owner = useSession((state) => state.owner)
  const withoutPassword = useSession(({ user }) => user?.withoutPassword)
  // The email address from the checkout, which turned out to have an account.
  const typed = useCheckoutDraft((state) => state.email)
  const [registered, setRegistered] = useState<string>()
  const shown = open ?? last

  const close = () => {
    answerProof(false)
    showPopUp(null)
    setRegistered(undefined)
  }
  const proved = () => {
    answerProof(true)
    close()
  }
  return (
    <Dialog
      open={open !== null}
      onOpenChange={(next) => !next && close()}
      title={registered ? 'Check your email' : titleOf(shown)}
      closeLabel={registered ? 'Done' : 'Not now'}
      actions={<></>}
    >
      {registered ? (
        <CheckMail email={registered} onConfirmed={() => void reloadUser().catch(() => undefined)} />
      ) : shown === 'prove' && withoutPassword ? (
        <>
          <ProveByPasskey owner={owner?.uuid ?? ''} onDone={proved} />
          <p>Your account has no password yet. We’ll email you a link to choose one. Then log in with it.</p>
          <ForgotPassword
            logIn={
              <Button look="solid" onClick={() => showPopUp('log-in')}>
                Log in
              </Button>
            }
          />
        </>
      ) : shown === 'prove' ? (
        <ProveForm
          owner={owner?.uuid ?? ''}
          email={owner?.email ?? ''}
          prove={(password) => provePassword(owner?.uuid ?? '', password)}
          onDone={proved}
          others={<Other to="forgot-password">Forgotten your password?</Other>}
        />
      ) : shown === 'log-in' ? (
        <LogInForm
          logIn={logIn}
          onDone={close}
          email={owner?.email ?? (typed || undefined)}
          others={
            <>
              <Other to="forgot-password">Forgotten your password?</Other>
              <Other to="register">{joinTitle()}</Other>
            </>
          }
        />
      ) : shown === 'register' ? (
        <RegisterForm
          register={async (registration) => {
            const pair = await register(registration)
            setRegistered(registration.email)
            // The account exists, whether or not this device can log in now.
            await openSession(pair).catch(() => undefined)
          }}
          others={<Other to="log-in">I have an account</Other>}
        />
      ) : (
        <ForgotPassword
          others={<Other to="log-in">Back to log in</Other>}
          logIn={
            <Button look="solid" onClick={() => showPopUp('log-in')}>
              Log in
            </Button>
          }
        />
      )}
    </Dialog>
  )
}

const joinTitle = () => `Join ${shop().name}`
const titleOf = (popUp: PopUp): string =>
  popUp === 'prove'
    ? 'Is it you?'
    : popUp === 'register'
      ? joinTitle()
      : popUp === 'log-in'
        ? 'Log in'
        : 'Forgotten your password?'

const Other = ({ to, children }: { to: PopUp; children: string }) => (
  <button type="button" onClick={() => showPopUp(to)}>
    {children}
  </button>
)
