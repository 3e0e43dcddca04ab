import { Button } from '#ui/Button.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { ShellButton } from '../header/ShellButton.tsx'

export interface ServerErrorProps {
  late?: boolean | undefined
  /** Loads the screen again. */
  onRetry?: (() => void) | undefined
}

export function ServerError({ late, onRetry }: ServerErrorProps) {
  return (
    <ErrorScreen
      title="Internal Server Error"
      late={late}
      actions={
        <>
          {onRetry && (
            <Button look="beak" onClick={onRetry}>
              Try again
            </Button>
          )}
          <ShellButton to="/" look={onRetry ? 'text' : 'beak'}>
            Home
          </ShellButton>
        </>
      }
    >
      <p>Something broke on our side, not on yours. Nothing you did is lost; try again in a minute.</p>
    </ErrorScreen>
  )
}
