// A Svelte admin UI with two screens; one of them is a Keelson page.
import { mount } from 'svelte'
import Admin from './Admin.svelte'

mount(Admin, { target: document.querySelector('#root') })
