import { CopyIcon } from '@phosphor-icons/react/dist/csr/Copy'
import { DownloadSimpleIcon } from '@phosphor-icons/react/dist/csr/DownloadSimple'
import { saveFile } from '#ui/save-file.ts'
import { toast } from '#ui/toast.ts'
import { facts } from '../facts.ts'
import { Button } from '../ui/Button.tsx'

/** Ten codes, shown once. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast('Copied.')
  }
  return (
    <>
      <ol className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="acts">
        <Button icon={CopyIcon} onClick={() => void copy()}>
          Copy
        </Button>
        <Button
          icon={DownloadSimpleIcon}
          onClick={() =>
            saveFile(new Blob([text], { type: 'text/plain' }), `${facts().name} office recovery codes.txt`)
          }
        >
          Download
        </Button>
      </div>
    </>
  )
}
