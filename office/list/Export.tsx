import { DownloadSimpleIcon } from '@phosphor-icons/react/dist/csr/DownloadSimple'
import { saveFile } from '#ui/save-file.ts'
import { useBusy } from '../net/use-act.ts'
import { Button } from '../ui/Button.tsx'

export function Export({ list, load }: { readonly list: string; readonly load: () => Promise<Blob> }) {
  const { busy, run } = useBusy()
  return (
    <Button
      icon={DownloadSimpleIcon}
      busy={busy}
      sends
      className="wide-only"
      onClick={() => void run(async () => saveFile(await load(), `${list}.csv`))}
    >
      Download CSV
    </Button>
  )
}
