// Defines the options of `watchdata listen`.
import { Option } from 'commander'
import { add } from '../commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} watchdata */
export function addListen(watchdata) {
  add(
    watchdata,
    'listen',
    'print the events of a service as they happen, and post them to a program of yours',
  )
    .option(
      '--forward-to <url>',
      'post each event to this URL, signed like a webhook; without it events are printed',
    )
    .addOption(
      new Option(
        '--key <key>',
        'the API key; others on this machine see it here, so prefer the variable',
      ).env('WATCHDATA_KEY'),
    )
    .addOption(new Option('--url <url>', 'the service').env('WATCHDATA_URL').default('http://127.0.0.1:8080'))
    .addOption(
      new Option('--secret <secret>', 'signing secret: whsec_…; without it one is generated').env(
        'WATCHDATA_SECRET',
      ),
    )
    .option('--events <names>', 'event types: watch.*, brand.updated …, separated by commas', '*')
    .option('--since <cursor>', 'start after this cursor; a run prints its last cursor when it ends', 'now')
    .addHelpText('after', hint)
    .action(async (options, command) => (await import('./listen.ts')).listenCommand(options, command))
}

const hint = `
With --json, stdout has the body of each event, one on a line, and nothing else:

  WATCHDATA_KEY=wd_live_… watchdata listen --json --events watch.price_changed | jq .data.changes`
