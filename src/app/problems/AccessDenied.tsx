import { ErrorScreen } from './ErrorScreen.tsx'
import { ShellButton } from '../header/ShellButton.tsx'

/** `from` is the page that was asked for; the log-in returns to it. */
export function AccessDenied({ from }: { from?: string | undefined }) {
  return (
    <ErrorScreen
      title="This page needs an account"
      actions={
        <>
          <ShellButton to="/login" search={from ? { from } : undefined} look="beak">
            Log in
          </ShellButton>
          <ShellButton to="/" look="text">
            Home
          </ShellButton>
        </>
      }
    >
      <p>Log in and we’ll bring you straight back to it.</p>
    </ErrorScreen>
  )
}
