// Stacks as languages write them, and their frames.
import { test } from 'tap'
import { framesOf } from './stack-frames.ts'

const shown = (stack: string) =>
  framesOf(stack).map(
    ({ filename = '', fn = '', lineno = 0, inApp }) =>
      `${inApp === true ? '' : '- '}${fn} ${filename}:${lineno}`
  )

const STACKS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'V8',
    'TypeError: x is not a function\n    at pay (file:///app/cart.js:10:5)\n    at async Server.handle (/app/node_modules/fastify/lib/route.js:1:2)\n    at node:internal/process/task_queues:95:5',
    [
      'pay /app/cart.js:10',
      '- async Server.handle /app/node_modules/fastify/lib/route.js:1',
      '-  node:internal/process/task_queues:95'
    ]
  ],
  [
    'Firefox and Safari',
    'pay@https://shop.example/static/main.js:10:5\n@https://shop.example/static/main.js:20:1',
    ['pay https://shop.example/static/main.js:10', ' https://shop.example/static/main.js:20']
  ],
  [
    'Python',
    'Traceback (most recent call last):\n  File "/app/old.py", line 1, in old\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "/usr/lib/python3.12/site-packages/flask/app.py", line 1511, in wsgi_app\n    response = self.full_dispatch_request()\n               ^^^^^\n  File "/app/cart.py", line 42, in pay\n    raise KeyError(user)\nKeyError: \'ann\'',
    ['pay /app/cart.py:42', '- wsgi_app /usr/lib/python3.12/site-packages/flask/app.py:1511']
  ],
  [
    'Java',
    'com.acme.CartException: gone\n\tat com.acme.Cart.pay(Cart.java:42)\n\tat java.base/java.lang.Thread.run(Thread.java:840)\n\tat jdk.internal.reflect.Direct.invoke(Native Method)\nCaused by: java.io.IOException: x\n\tat com.acme.Db.read(Db.java:7)',
    [
      'com.acme.Cart.pay Cart.java:42',
      '- java.lang.Thread.run Thread.java:840',
      '- jdk.internal.reflect.Direct.invoke :0'
    ]
  ],
  [
    '.NET',
    'System.Exception: gone\n   at Acme.Cart.Pay(Int32 id) in C:\\src\\Cart.cs:line 42\n   at System.Threading.Tasks.Task.Run(Action action)',
    [
      'Acme.Cart.Pay(Int32 id) C:\\src\\Cart.cs:42',
      '- System.Threading.Tasks.Task.Run(Action action) :0'
    ]
  ],
  [
    'Go',
    'goroutine 1 [running]:\nruntime.gopanic({0x1, 0x2})\n\t/usr/local/go/src/runtime/panic.go:884 +0x213\nmain.(*Cart).Pay(0xc000012345)\n\t/app/cart.go:42 +0x1d\ncreated by net/http.(*Server).Serve\n\t/usr/local/go/src/net/http/server.go:3086 +0x5cb',
    [
      '- runtime.gopanic /usr/local/go/src/runtime/panic.go:884',
      'main.(*Cart).Pay /app/cart.go:42',
      '- net/http.(*Server).Serve /usr/local/go/src/net/http/server.go:3086'
    ]
  ],
  [
    'Ruby',
    "/app/cart.rb:42:in 'Cart#pay': gone (RuntimeError)\n\tfrom /usr/lib/ruby/gems/3.3.0/gems/rack-3.0/lib/rack.rb:7:in `call'\n\tfrom app/main.rb:3",
    [
      'Cart#pay /app/cart.rb:42',
      '- call /usr/lib/ruby/gems/3.3.0/gems/rack-3.0/lib/rack.rb:7',
      ' app/main.rb:3'
    ]
  ],
  [
    'PHP',
    '#0 /app/src/Cart.php(42): Shop\\Cart->pay()\n#1 /app/vendor/slim/App.php(199): Slim\\App->run()\n#2 {main}',
    ['Shop\\Cart->pay /app/src/Cart.php:42', '- Slim\\App->run /app/vendor/slim/App.php:199']
  ],
  ['no language', 'something went wrong at noon: 12:30:15', []]
]
for (const [language, stack, frames] of STACKS) {
  test(`frames of ${language}, where it was thrown first`, async (t) => {
    t.same(shown(stack), frames)
  })
}

test('a stack of any length has at most a hundred frames', async (t) => {
  const line = '    at pay (/app/cart.js:10:5)\n'
  t.equal(framesOf(line.repeat(5000)).length, 100)
  t.equal(framesOf('a'.repeat(100_000)).length, 0)
})
