// Starts the app in the page that the server sent.
import { QueryClient, QueryClientProvider } from '@tanstack/preact-query'
import { render } from 'preact'
import { App } from './app.tsx'
import { Refusal } from './ask.ts'
import './dashboard.css'

const retriesMax = 2

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // A rejected request would be rejected again; a network error or a 5xx may succeed on retry.
      retry: (failures, error) =>
        failures < retriesMax && (!(error instanceof Refusal) || error.status === 0 || error.status >= 500),
    },
  },
})

const root = document.getElementById('dashboard')
if (root !== null) {
  root.replaceChildren()
  render(
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>,
    root,
  )
}
