import { freePort, startServer, type ServerProcess } from './server-process.ts'

export interface ShopProcess extends ServerProcess {
  readonly port: string
}

/** A demo shop served from a folder, at the port it had before or at one that is free. */
export async function startShop(dataDir: string, port?: string): Promise<ShopProcess> {
  const at = port ?? (await freePort())
  const server = await startServer({
    PORT: at,
    PUBLIC_URL: `http://127.0.0.1:${at}`,
    DATA_DIR: dataDir,
    DEMO: '1',
  })
  return { ...server, port: at }
}
