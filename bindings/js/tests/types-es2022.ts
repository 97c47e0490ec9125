// Each entry compiles with the library ES2022 alone: without the DOM, the types of Node, and `skipLibCheck`.
import { Crawler, load } from "librobots";
import crawl from "librobots/crawl.wasm";
import { robotsFetch } from "librobots/fetch";
import robotsParser from "librobots/robots-parser";
import { lint } from "librobots/tools";

const isAllowed: boolean = new Crawler("x").parse("").check("/").allowed;
void [isAllowed, load(crawl), robotsFetch, robotsParser, lint];
